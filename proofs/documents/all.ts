import type { Document } from "../engine/documents.ts";
import { chaudhuriPaper } from "./chaudhuri_paper.ts";
import { chaudhuriSlides } from "./chaudhuri_slides.ts";
import { haussmannSlides } from "./haussmann_slides.ts";
import { shmatikovSlides } from "./shmatikov_slides.ts";
import { xuAbstract } from "./xu_abstract.ts";

/** The documents that the library implements. */
export const documents: readonly Document[] = [
  chaudhuriSlides,
  chaudhuriPaper,
  haussmannSlides,
  shmatikovSlides,
  xuAbstract,
];
