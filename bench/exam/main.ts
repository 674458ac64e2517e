/**
 * The first part of the exam of DPriv-Bench (Wang, Huang, Chien, Thakkar, Chaudhuri, Wang, Wu 2026): "does it keep the claim?", 588 times of mechanisms, answered by audits that search for
 * the pair.
 *
 * Usage: `deno task bench exam [--data DIR] [--tracks NAME,…] [--draws N] [--seed N] [--jobs N] [--given]`, where DIR is the folder `data` of a copy of its repository, from which the key is read.
 */
import { option } from "../option.ts";
import { examineMechanisms } from "./mechanisms.ts";

await examineMechanisms(option("data"));
