import type { Command } from "commander";

/** Takes the exit status of a command that ran. */
export type Done = (status: number) => void;

/**
 * Adds one command to the program. The command's action calls `done`, and throws `BadInput` for what
 * ends in one line and status 2.
 */
export type Register = (program: Command, done: Done) => void;
