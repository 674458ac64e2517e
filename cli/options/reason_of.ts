/** Descriptions of file errors by their code, because the messages of runtimes differ. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EISDIR: "it is a folder",
  ENOENT: "there is no such file or folder",
  ENOSPC: "no space is left on the device",
  ENOTDIR: "a part of its path is no folder",
  EPERM: "the operation is not permitted",
  EROFS: "the file system is read-only",
};

/** Describes in a few words, on one line, why a file could not be read or written. */
export function reasonOf(error: unknown): string {
  const known = REASONS[(error as { code?: string } | null)?.code ?? ""];
  if (known !== undefined) return known;
  return error instanceof Error ? error.message.split("\n")[0]! : String(error);
}
