/**
 * Attacks that show what noise must be there.
 *
 * @module
 */

export { reconstruct, type Reconstruction, type SubsetAnswers } from "./reconstruction.ts";
