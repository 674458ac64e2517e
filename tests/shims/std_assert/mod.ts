/**
 * `@std/assert` for machines that cannot reach JSR: the same functions, from the npm republication
 * `deno-std`, with types of our own. Without `links` in deno.json the tests run on the original.
 *
 * @module
 */
// @ts-types="./mod.d.ts"
export * from "deno-std/assert/mod.js";
