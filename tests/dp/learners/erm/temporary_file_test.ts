import { assertEquals, assertThrows } from "@std/assert";
import { RowFile } from "../../../../lib/dp/learners/erm/files/row_file.ts";
import { denseRows } from "../../../../lib/dp/learners/erm/rows/rows.ts";
import { fileSystem, openTemporaryFile } from "../../../../lib/dp/temporary_file.ts";

const system = { ...fileSystem };

/** Runs with some calls of the system replaced, in a folder that must be empty at the end. */
function withSystem(replaced: Partial<typeof fileSystem>, run: (folder: string) => void): void {
  const folder = Deno.makeTempDirSync();
  Object.assign(fileSystem, replaced);
  try {
    run(folder);
  } finally {
    Object.assign(fileSystem, system);
  }
  const left = [...Deno.readDirSync(folder)];
  Deno.removeSync(folder, { recursive: true });
  assertEquals(left, []);
}

function fails(name: string): never {
  throw new Error(`${name} fails`);
}

// Mutant: the folder stays where its file cannot be opened.
Deno.test("openTemporaryFile() leaves no folder where the file cannot be opened, and makes none below a missing one", () => {
  withSystem({ openSync: () => fails("open") }, (folder) => {
    assertThrows(() => openTemporaryFile(folder), Error, "open fails");
  });
  withSystem({}, (folder) => {
    assertThrows(() => openTemporaryFile(`${folder}/missing`), Error, "missing");
  });
});

// A system that keeps the names of open files. Mutants: not removed when it is closed, or when it cannot be.
Deno.test("close() removes a file whose name could not be removed while it was open, also where closing fails", () => {
  for (const isClosed of [true, false]) {
    let removals = 0;
    const rmSync: typeof fileSystem.rmSync = (path, options) =>
      removals++ === 0 ? fails("remove") : system.rmSync(path, options);
    const closeSync: typeof fileSystem.closeSync = (descriptor) => {
      system.closeSync(descriptor);
      if (!isClosed) fails("close");
    };
    withSystem({ rmSync, closeSync }, (folder) => {
      const file = openTemporaryFile(folder);
      assertEquals([...Deno.readDirSync(folder)].length, 1);
      if (isClosed) file.close();
      else assertThrows(() => file.close(), Error, "close fails");
    });
    assertEquals(removals, 2);
  }
});

// Mutants: what a call left over is not asked for, or asked for at another place.
Deno.test("bytes are written and read whole where the system takes and gives three at a time", () => {
  const writeSync = ((descriptor: number, bytes: Uint8Array, ...rest: number[]) => {
    const [offset, length, position] = rest as [number, number, number];
    return system.writeSync(descriptor, bytes, offset, Math.min(3, length), position);
  }) as typeof fileSystem.writeSync;
  const readSync = ((descriptor: number, bytes: Uint8Array, ...rest: number[]) => {
    const [offset, length, position] = rest as [number, number, number];
    return system.readSync(descriptor, bytes, offset, Math.min(3, length), position);
  }) as typeof fileSystem.readSync;
  withSystem({ writeSync, readSync }, (folder) => {
    const file = openTemporaryFile(folder), bytes = Uint8Array.from({ length: 20 }, (_, i) => i);
    // A part of a longer array.
    assertEquals(file.write(bytes.subarray(2, 13), 5), 16);
    const into = new Uint8Array(10);
    file.read(into, 6);
    assertEquals([...into], [3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    assertThrows(() => file.read(into, 7), Error, "ends too early");
    file.close();
  });
});

Deno.test("writing ends with an error where the system takes no more bytes", () => {
  withSystem({ writeSync: (() => 0) as typeof fileSystem.writeSync }, (folder) => {
    const file = openTemporaryFile(folder);
    assertThrows(() => file.write(new Uint8Array(1), 0), Error, "takes no more");
    file.close();
  });
});

// Rows of which some blocks are written before one fails. Mutants: these blocks stay, as rows that nobody counts; the next ones are
// written behind them.
Deno.test("RowFile adds none of the rows of which a block cannot be written, and goes on afterwards", () => {
  let calls = 0;
  const positions: number[] = [];
  const writeSync = ((descriptor: number, bytes: Uint8Array, ...rest: number[]) => {
    const [offset, length, position] = rest as [number, number, number];
    if (++calls === 3) fails("write");
    positions.push(position);
    return system.writeSync(descriptor, bytes, offset, length, position);
  }) as typeof fileSystem.writeSync;
  withSystem({ writeSync }, (folder) => {
    const file = new RowFile({ columnCount: 1, classCount: 2, folder });
    file.append(denseRows([[1], [2]]), [0, 1]);
    const many = denseRows(new Float64Array(40_000).fill(7), { columnCount: 1 });
    assertThrows(() => file.append(many, new Uint8Array(40_000)), Error, "write fails");
    assertEquals([file.rowCount, file.labels().indices.length], [2, 2]);
    file.append(denseRows([[3]]), [1]);
    const seen: [number, number[]][] = [];
    file.rows().visit((block, first) => seen.push([first, [...block.values]]));
    assertEquals(seen, [[0, [1, 2, 3]]]);
    assertEquals([...file.labels().indices], [0, 1, 1]);
    // The third write is where the second began.
    assertEquals(positions, [0, 16, 16]);
    file.close();
  });
});

// Mutants: rights of others; a file that stays open.
Deno.test("RowFile opens one file that its owner alone can read, and closes it once", () => {
  const modes: unknown[] = [], opened: number[] = [], closed: number[] = [];
  const openSync = ((path: string, flags: string, mode: number) => {
    modes.push([flags, mode]);
    opened.push(system.openSync(path, flags, mode));
    return opened[0];
  }) as typeof fileSystem.openSync;
  const closeSync: typeof fileSystem.closeSync = (descriptor) => {
    closed.push(descriptor);
    system.closeSync(descriptor);
  };
  withSystem({ openSync, closeSync }, (folder) => {
    const file = new RowFile({ columnCount: 1, classCount: 2, folder });
    file.close();
    file.close();
  });
  assertEquals([modes, closed], [[["wx+", 0o600]], opened]);
});
