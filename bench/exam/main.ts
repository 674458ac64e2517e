/**
 * The exam of DPriv-Bench (Wang, Huang, Chien, Thakkar, Chaudhuri, Wang, Wu 2026), "does it keep the claim?": 588 times of mechanisms, answered by audits that search for the pair, and 125 times of
 * claims of papers, answered by exact losses in cases.
 *
 * Usage: `deno task bench exam [--part mechanisms|claims] [--data DIR]`, where DIR is the folder `data` of a copy of its repository, from which the key is read. Of mechanisms:
 * `[--tracks BEGINNING,…] [--draws N] [--seed N] [--jobs N] [--given]`, by the beginnings of the tracks' names.
 */
import { option } from "../option.ts";
import { examineClaims } from "./claims/papers.ts";
import { examineMechanisms } from "./mechanisms.ts";

const part = option("part"), data = option("data");
if (part !== "claims") await examineMechanisms(data);
if (part !== "mechanisms") await examineClaims(data);
