import { type Claim, claimUnder } from "../../lib/core/claims/claim.ts";
import { asserted, type Relation } from "../../lib/core/relations/relation.ts";
import type { Source } from "../../lib/core/mechanism/source.ts";
import type { Subject } from "../../lib/judge/audit/kernel/subject.ts";
import { mechanismSubject } from "../../lib/judge/audit/subjects/mechanism_subject.ts";
import { httpSubject } from "../../lib/judge/audit/subjects/http/http_subject.ts";
import { moduleSubject } from "../../lib/judge/audit/subjects/thread/module_subject.ts";
import { processSubject } from "../../lib/judge/audit/subjects/process/process_subject.ts";
import { siblingOf } from "../../lib/judge/audit/subjects/thread/sibling_of.ts";
import { inWorkers } from "../../lib/judge/audit/subjects/thread/worker_subject.ts";
import type { AuditArguments } from "./command_options.ts";
import { BadInput, reading } from "./bad_input.ts";
import { claimOf } from "./claim_of.ts";
import { namedMechanism, names, unknownMechanism } from "./mechanisms.ts";
import { openSamples, type Recording } from "./open_samples.ts";

/** A subject, the claim to test it for, and the relation of its pairs. */
export interface OpenSubject {
  readonly subject: Subject;
  readonly claim: Claim;
  readonly relation: Relation;
  /** Set when outputs were recorded and cannot be drawn anew. */
  readonly recording?: Recording;
}

/**
 * Opens the subject that the options name. The claim is theirs, or else the subject's own; the relation
 * is theirs, or that of the subject's own claim, or else the user's word.
 *
 * @throws {BadInput} when there is not exactly one subject, no claim, or the subject cannot be opened.
 */
export async function openSubject(
  options: AuditArguments,
  { source }: { readonly source: Source },
): Promise<OpenSubject> {
  const { mechanism, module, exec, url, samples, timeout, workers = 1 } = options;
  const named = Object.entries({ mechanism, module, exec, url, samples })
    .filter(([, value]) => value !== undefined);
  if (named.length === 0) {
    throw new BadInput("give a subject: --mechanism, --module, --exec, --url or --samples");
  }
  if (named.length > 1) {
    const both = named.map(([name, value]) => `--${name} ${value}`).join(" and ");
    throw new BadInput(`${both} cannot be given together: one subject`);
  }
  if (options.independent && exec === undefined && url === undefined) {
    throw new BadInput(
      "--independent goes with --exec or --url: others are asked as their kind allows",
    );
  }
  if (options.fd !== undefined && exec === undefined) {
    throw new BadInput(`--fd ${options.fd} goes with --exec: only programs have descriptors`);
  }
  if (options.oneAtATime && samples !== undefined) {
    throw new BadInput("--one-at-a-time cannot be given with --samples: nothing is drawn");
  }
  // Refused before anything is started.
  claimOf(options, options.relation ?? asserted);

  if (mechanism !== undefined) return openMechanism(mechanism, options, source);
  if (module !== undefined) {
    const subject = await reading(
      "--module",
      module,
      () => moduleSubject(module, { source, workers, timeoutSeconds: timeout }),
    );
    return withClaim(subject, options);
  }
  if (samples !== undefined) {
    if (workers > 1) {
      throw new BadInput(`--workers ${workers} cannot be given with --samples: nothing is drawn`);
    }
    const recording = await openSamples(samples, { source });
    return { ...withClaim(recording.subject, options), recording };
  }
  // The claim is checked first, because a program that was started must be ended.
  const option = exec === undefined ? "--url" : "--exec";
  const claim = claimOf(options, options.relation ?? asserted) ?? missingClaim();
  if (exec === undefined && workers > 1) {
    throw new BadInput(`--workers ${workers} cannot be given with --url: there is one endpoint`);
  }
  const asked = { timeoutSeconds: timeout, independent: options.independent ?? false };
  const answersOn = options.fd ?? 1;
  const subject = reading(
    option,
    exec ?? url!,
    () =>
      exec === undefined
        ? httpSubject(url!, asked)
        : processSubject(exec, { ...asked, workers, answersOn }),
  );
  return { subject, claim, relation: claim.relation };
}

function openMechanism(name: string, options: AuditArguments, source: Source): OpenSubject {
  if (!names.includes(name)) {
    throw unknownMechanism(name);
  }
  const asked = claimOf(options, options.relation ?? asserted) ?? missingClaim();
  const mechanism = reading("--mechanism", name, () => namedMechanism(name, asked));
  const relation = options.relation ?? mechanism.claim.relation;
  const claim = claimUnder(asked, { relation });
  const { relation: _, ...numbers } = asked;
  const subject = inWorkers(mechanismSubject(mechanism, { source }), {
    maker: {
      module: siblingOf(import.meta.url, "mechanism_maker"),
      name: "makeMechanismSubject",
      argument: { name, ...numbers },
    },
    workers: options.workers ?? 1,
    source,
    timeoutSeconds: options.timeout,
  });
  return { subject, claim, relation };
}

function withClaim(subject: Subject, options: AuditArguments): OpenSubject {
  const relation = options.relation ?? subject.claim?.relation ?? asserted;
  const own = subject.claim === undefined ? undefined : claimUnder(subject.claim, { relation });
  const claim = claimOf(options, relation) ?? own ?? missingClaim();
  return { subject, claim, relation };
}

function missingClaim(): never {
  throw new BadInput("give a claim: --epsilon (with --delta or --order), --rho or --mu");
}
