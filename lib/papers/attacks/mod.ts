/**
 * Attacks that show what noise must be there.
 *
 * @module
 */

// Attacks that show what noise must be there.
export { reconstruct, type Reconstruction, type SubsetAnswers } from "./reconstruction.ts";
