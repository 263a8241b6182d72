/** What a soak may leave behind, which is nothing; and whether it did what it is there for. */
import { formatUsd, nanoUsd } from '../../src/core/money.ts'
import { mostGrown } from './kept-memory.ts'
import type { SoakEvidence } from './soak.ts'
import { ENDLESS, POINT_NAMES, SOAK_MODELS } from './stream-menu.ts'

export interface Check {
  readonly name: string
  readonly found: string
  readonly allowed: string
  readonly isMet: boolean
  /** A slow machine does not meet it, though nothing is left behind. */
  readonly isOfSpeed?: true
}

/** The least part of the load that must happen: one that did not proves nothing. */
const LEAST_OPENED_PART = 0.9
/** What a thread of the gateway may keep more at the second rest than at the first, all garbage collected: compiled code. */
const KEPT_MB = 4
/** The growth that the system may count: the allocator keeps some of what it had when most streams were open. */
const GROWN_MB = 64
/** The slope without the first minute. A steeper one is flat as well while it is not twice what chance makes of it. */
const SLOPE_MB_PER_MINUTE = 6
const DRAINED_WITHIN_MS = 8_000
const CANCELLED_WITHIN_MS = 700
const DRAWN_KINDS = 4

export function judge(evidence: SoakEvidence): readonly Check[] {
  return [
    ...loadChecks(evidence),
    ...processChecks(evidence),
    ...holdChecks(evidence),
    ...upstreamChecks(evidence),
    ...bookChecks(evidence),
    ...outsideChecks(evidence),
  ]
}

function loadChecks({ options, load, warmUp }: SoakEvidence): Check[] {
  const asked = options.streamsPerSecond * options.seconds
  const rarest = Math.min(...POINT_NAMES.map((name) => load.leftAt[name]))
  return [
    ofSpeed(atLeast('streams opened', load.opened, Math.floor(asked * LEAST_OPENED_PART))),
    atLeast('streams left at the rarest point', rarest, 1),
    none('streams that ended otherwise', load.failures + warmUp.failures),
    none('streams whose point never came', load.overdue + warmUp.overdue),
  ]
}

function processChecks({ options, before, after, memory }: SoakEvidence): Check[] {
  const checks = [
    none('sockets of clients', after.clientSockets),
    none('sockets to the upstream', after.upstreamSockets),
    otherDescriptors(before.otherDescriptors, after.otherDescriptors),
    atMost('threads', after.threads, before.threads),
  ]
  if (!options.watchesMemory) return checks
  const { name, fromMb, byMb } = mostGrown(before.kept.threads, after.kept.threads)
  checks.push(
    within(`memory kept by JavaScript, beyond ${fromMb.toFixed(1)} MB (${name})`, byMb, { most: KEPT_MB, unit: 'MB' }),
  )
  const grown = after.kept.residentMb - before.kept.residentMb
  checks.push(
    within(`memory without garbage, beyond ${before.kept.residentMb.toFixed(0)} MB`, grown, {
      most: GROWN_MB,
      unit: 'MB',
    }),
  )
  if (memory === null) return checks
  const { mbPerMinute, errorMbPerMinute } = memory
  const most = Math.round(Math.max(SLOPE_MB_PER_MINUTE, 2 * errorMbPerMinute))
  checks.push(within("memory's slope under load", mbPerMinute, { most, unit: 'MB/min' }))
  return checks
}

function otherDescriptors(before: readonly string[], after: readonly string[]): Check {
  const check = atMost('other file descriptors', after.length, before.length)
  const opened = after.filter((link) => !before.includes(link))
  return check.isMet ? check : { ...check, found: `${check.found}, among them ${opened.join(', ')}` }
}

function holdChecks({ slotsInUse, atRest, afterDrain, drainExitCode, drainMs }: SoakEvidence): Check[] {
  return [
    none('slots of keys in use', slotsInUse),
    none('requests noted as running', atRest.openRequests),
    nothing('held of budgets, at rest', atRest.heldNano),
    none('leases, at rest', atRest.leases),
    equal('exit code of the drain', String(drainExitCode), '0'),
    ofSpeed(within('time of the drain', drainMs, { most: DRAINED_WITHIN_MS, unit: 'ms' })),
    nothing('held of budgets, after the drain', afterDrain.heldNano),
    none('leases, after the drain', afterDrain.leases),
    none('requests noted as running, after the drain', afterDrain.openRequests),
    none('overruns', afterDrain.overruns),
    atLeast('kinds of budgets drawn on', afterDrain.drawnKinds, DRAWN_KINDS),
  ]
}

/** A soak of less than all that may be on would prove less than it says. */
function outsideChecks({ outside, options, features }: SoakEvidence): Check[] {
  const sent = [
    atLeast('requests that a second target was asked for', features.hedges, 1),
    atLeast('attempts that a rule in shadow would have refused', features.shadowRefusals, 1),
    atLeast('answers given again', features.cacheHits, 1),
    atLeast('requests that the next group of their key answered', features.wentOn, 1),
    atLeast('deliveries of traces', outside.get('/v1/traces') ?? 0, 1),
    atLeast('deliveries of metrics', outside.get('/v1/metrics') ?? 0, 1),
  ]
  // A short one costs too little for a line to be crossed.
  if (!options.watchesMemory) return sent
  return [...sent, atLeast('alerts delivered', outside.get('/alerts') ?? 0, 1)]
}

function upstreamChecks({ cancelledInMs, upstream }: SoakEvidence): Check[] {
  const endless = ENDLESS.map((model) => upstream.models[SOAK_MODELS[model]])
  const asked = endless.reduce((sum, counts) => sum + (counts?.requests ?? 0), 0)
  const cancelled = endless.reduce((sum, counts) => sum + (counts?.aborted ?? 0), 0)
  return [
    ofSpeed(
      within('last stream cancelled after', cancelledInMs ?? Infinity, { most: CANCELLED_WITHIN_MS, unit: 'ms' }),
    ),
    none('streams that the upstream still writes', upstream.running),
    atLeast('endless streams at the upstream', asked, 1),
    none('endless streams not cancelled', asked - cancelled),
  ]
}

function bookChecks({ records, ledger }: SoakEvidence): Check[] {
  const { byOutcome, doubled, missing, strays, calledOff } = records
  const other = [...byOutcome].filter(([outcome]) => outcome !== 'aborted' && outcome !== 'completed')
  return [
    none('streams with two usage records', doubled),
    none('answered streams without a usage record', missing),
    none('usage records of no stream', strays),
    atLeast('usage records of attempts that were called off', calledOff, 1),
    none(
      'usage records neither aborted nor completed',
      other.reduce((sum, [, count]) => sum + count, 0),
    ),
    equal('check-ledger', /^[a-z]*/.exec(ledger)?.[0] ?? '', 'ok'),
  ]
}

function ofSpeed(check: Check): Check {
  return { ...check, isOfSpeed: true }
}

function none(name: string, found: number): Check {
  return { name, found: String(found), allowed: '0', isMet: found === 0 }
}

function nothing(name: string, found: bigint): Check {
  return { name, found: `$${formatUsd(nanoUsd(found))}`, allowed: '$0', isMet: found === 0n }
}

function equal(name: string, found: string, allowed: string): Check {
  return { name, found, allowed, isMet: found === allowed }
}

function atLeast(name: string, found: number, least: number): Check {
  return { name, found: String(found), allowed: `>= ${least}`, isMet: found >= least }
}

function atMost(name: string, found: number, most: number): Check {
  return { name, found: String(found), allowed: `<= ${most}`, isMet: found <= most }
}

function within(name: string, found: number, { most, unit }: { most: number; unit: string }): Check {
  const digits = unit === 'ms' ? 0 : 1
  return { name, found: `${found.toFixed(digits)} ${unit}`, allowed: `<= ${most} ${unit}`, isMet: found <= most }
}
