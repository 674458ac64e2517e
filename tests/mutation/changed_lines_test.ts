import { assertEquals } from "@std/assert";
import { linesOfDiff } from "./changed_lines.ts";

const DIFF = `diff --git a/lib/a.ts b/lib/a.ts
--- a/lib/a.ts
+++ b/lib/a.ts
@@ -3 +3 @@ export function a(): number {
-  return 1;
+  return 2;
@@ -9,0 +10,3 @@
+++x;
+  y();
+  z();
@@ -20,2 +24,0 @@
-  gone();
-  gone();
diff --git a/lib/b.ts b/lib/b.ts
deleted file mode 100644
--- a/lib/b.ts
+++ /dev/null
@@ -1,2 +0,0 @@
-b
-b
diff --git a/lib/c.ts b/lib/c.ts
--- a/lib/c.ts
+++ b/lib/c.ts
@@ -1,2 +0,0 @@
-c
-c
`;

// Mutants: lines that were removed counted; those of a file that is gone given to the file before it.
Deno.test("linesOfDiff() names lines that are new or changed, and no file without one", () => {
  assertEquals(linesOfDiff(DIFF), new Map([["lib/a.ts", new Set([3, 10, 11, 12])]]));
});
