import type { Answered } from '../../../src/causes/answerers.ts'
import type { CloudRefusal } from '../../../src/causes/cloud-refusals.ts'
import type { ConnectionFailure } from '../../../src/causes/connection-failures.ts'
import type { FoundFault } from '../../../src/causes/found-faults.ts'
import type { Clues } from '../../../src/causes/clues.ts'
import type { DiagnosisView } from '../../../src/contract/diagnosis.ts'

/** One thing that was found out. */
export type Finding =
  | {
      readonly kind: 'fault'
      readonly code: string
      readonly facts: FoundFault['facts'] | null
      /** What the client got, where that is known. */
      readonly reported: string | null
      /** `past`: what stopped a request that was made; `now`: what would stop one. */
      readonly when: 'past' | 'past_and_now' | 'healed' | 'now' | 'text'
    }
  | { readonly kind: 'answered'; readonly answered: Answered; readonly status: number | null }
  | { readonly kind: 'cloud'; readonly refusal: CloudRefusal }
  | { readonly kind: 'failure'; readonly failure: ConnectionFailure; readonly isOnlyAddress: boolean }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'elsewhere'; readonly origin: string }
  | { readonly kind: 'no_record'; readonly id: string; readonly deleted: DiagnosisView['deleted'] }
  | { readonly kind: 'no_key'; readonly end: string }
  | { readonly kind: 'keys_alike'; readonly end: string; readonly count: number }
  | { readonly kind: 'went_well' }
  | { readonly kind: 'passes'; readonly targets: number | null; readonly isOfModel: boolean }

/** What the clues and the gateway's answer say together, the surest first. `answer` null: nothing could be looked up. */
export function findingsFrom(clues: Clues, answer: DiagnosisView | null): readonly Finding[] {
  const findings: Finding[] = []
  const ofRecord = recordFinding(answer)
  if (ofRecord !== null) findings.push(ofRecord)
  const unknown = answer?.unrecognized ?? null
  if (unknown !== null) {
    findings.push({ kind: 'fault', code: unknown.fault, facts: unknown.fault_facts, reported: null, when: 'past' })
  }
  for (const { code, facts } of clues.found) {
    const isKnown = findings.some((each) => each.kind === 'fault' && each.code === code)
    // The key's own state says more than a code that was pasted without its facts.
    const isSaidBetter = Object.keys(facts).length === 0 && answer?.now?.code === code
    if (!isKnown && !isSaidBetter) findings.push({ kind: 'fault', code, facts, reported: null, when: 'text' })
  }
  findings.push(...findingsOfText(clues))
  // A status alone says less than anything else that was found.
  if (findings.length === 0 && clues.request === null && clues.status !== null) {
    findings.push({ kind: 'status', status: clues.status })
  }
  if (answer === null) return findings
  if (clues.request !== null && answer.record === null && unknown === null)
    findings.push({ kind: 'no_record', id: clues.request, deleted: answer.deleted })
  if (clues.end !== null && answer.key === null && answer.keys_alike !== null) {
    const end = clues.end
    const count = answer.keys_alike
    findings.push(count === 0 ? { kind: 'no_key', end } : { kind: 'keys_alike', end, count })
  }
  return [...findings, ...nowFinding(findings, answer)]
}

/** What the text shows of a request that did not come here, or got no answer. */
function findingsOfText({ answered, cloud, failure, elsewhere, status }: Clues): readonly Finding[] {
  return [
    ...(cloud === null ? [] : [{ kind: 'cloud', refusal: cloud } as const]),
    ...(answered === null ? [] : [{ kind: 'answered', answered, status } as const]),
    ...(elsewhere === null ? [] : [{ kind: 'elsewhere', origin: elsewhere } as const]),
    // Where another host was entered, that finding says what to enter instead.
    ...(failure === null ? [] : [{ kind: 'failure', failure, isOnlyAddress: elsewhere === null } as const]),
  ]
}

function recordFinding(answer: DiagnosisView | null): Finding | null {
  const record = answer?.record ?? null
  if (answer === null || record === null) return null
  if (record.fault === null) return { kind: 'went_well' }
  const when =
    answer.key === null
      ? 'past'
      : answer.now === null
        ? 'healed'
        : answer.now.code === record.fault
          ? 'past_and_now'
          : 'past'
  const { fault_facts: facts, client_received: reported } = record
  return { kind: 'fault', code: record.fault, facts, reported, when }
}

/** What would happen now, where nothing that was found says it already. */
function nowFinding(
  findings: readonly Finding[],
  { key, now, targets, judged_model: isOfModel }: DiagnosisView,
): readonly Finding[] {
  if (key === null) return []
  if (now === null) {
    const isSaid = findings.some((each) => each.kind === 'fault' && each.when === 'healed')
    return isSaid && targets !== 0 ? [] : [{ kind: 'passes', targets, isOfModel }]
  }
  if (findings.some((each) => each.kind === 'fault' && each.code === now.code)) return []
  return [{ kind: 'fault', code: now.code, facts: now.facts, reported: null, when: 'now' }]
}
