import type { CallRecord } from '../../tools/fake-upstream/books.ts'
import type { Evidence } from './evidence.ts'
import type { Usage } from '../../tools/fake-upstream/usage.ts'
import { cappedTokens, expectedCost, expectedTokens, inUsd, type TokensByKind } from './expected-charge.ts'
import { halfReport, type MenuWire } from './menu.ts'
import { menuNameOf, servingGroup } from './serving-group.ts'
import type { Sighting } from './watching-client.ts'
import type { WrittenRecord } from './written-books.ts'

const NOTHING: TokensByKind = {
  input: null,
  cacheRead: null,
  cacheWrite: null,
  cacheWrite1h: null,
  output: null,
  reasoning: null,
}

/** What one request cost, against what the fake upstream reported and the contract's own arithmetic. */
export function* auditCharge(sighting: Sighting, record: WrittenRecord, evidence: Evidence): Generator<string, void> {
  const served = evidence.served.requests[record.id]
  const isCutShort = record.outcome === 'completed' && record.fault !== null
  if (isCutShort) yield* auditCutShort(sighting, record, served)
  else if (record.outcome === 'completed') yield* auditCompleted(sighting, record, served)
  else if (record.outcome === 'aborted') yield* auditAborted(sighting, record, served)
  else yield* auditFree(record)
  if (record.outcome !== 'completed' && isWhole(served) && !sighting.hungUp && evidence.lives.length === 0) {
    yield 'the upstream served it whole, and its client stayed'
  }
}

function* auditFree(record: WrittenRecord): Generator<string, void> {
  if (record.cost_nano !== 0n) yield `it is ${record.outcome} and costs ${record.cost_nano}`
  if (!isSame(tokensOf(record), NOTHING)) yield `it is ${record.outcome} and has tokens ${shown(tokensOf(record))}`
}

function* auditCompleted(
  sighting: Sighting,
  record: WrittenRecord,
  served: CallRecord | undefined,
): Generator<string, void> {
  const { order, cost, sawEnd } = sighting
  yield* auditPrice(sighting, record, served)
  if (!isWhole(served)) yield `the upstream did not serve it whole: ${JSON.stringify(served)}`
  if (served !== undefined && menuNameOf(served.model) !== order.model.name) yield `the upstream served ${served.model}`
  const reported = served?.reportedUsage ?? null
  const isBelieved = reported !== null && !order.model.reportsNone
  if (record.usage_source !== (isBelieved ? 'reported' : 'estimated')) yield `its usage is ${record.usage_source}`
  if (record.is_capped !== (order.model.isAbsurd ? 1n : 0n)) yield `its mark of capped usage is ${record.is_capped}`
  if (isBelieved && !isSame(tokensOf(record), chargedFor(sighting, served, reported))) {
    yield `its tokens are ${shown(tokensOf(record))}, and the upstream reported ${JSON.stringify(reported)}`
  }
  if (!isBelieved) yield* auditEstimate(sighting, record)
  if (sawEnd && !order.form.isStream && cost !== inUsd(record.cost_nano)) {
    yield `its client saw a cost of ${cost}, and the record says ${record.cost_nano}`
  }
}

/** A request whose funds were at their end pays for what was written until then, counted here unless all was reported. */
function* auditCutShort(
  sighting: Sighting,
  record: WrittenRecord,
  served: CallRecord | undefined,
): Generator<string, void> {
  const { order, cutShortAfter } = sighting
  const { input, output } = tokensOf(record)
  yield* auditPrice(sighting, record, served)
  const reported = served?.reportedUsage ?? null
  if (record.usage_source === 'reported') {
    const isReported =
      reported !== null && isSame(tokensOf(record), expectedTokens(wireOf(served, order.form.wire), reported))
    if (!isReported) yield `its tokens are ${shown(tokensOf(record))}, and it was cut short`
    return
  }
  if (input === null || input > BigInt(order.body.length)) yield `its input of ${input} tokens is more than its bytes`
  if (output === null || cutShortAfter === null) return
  // No tokenizer makes tokens as long as this of prose.
  if (output * LONGEST_TOKEN_BYTES < BigInt(cutShortAfter))
    yield `${output} tokens are charged for ${cutShortAfter} bytes`
  if (output > BigInt(cutShortAfter)) yield `${output} tokens are charged for only ${cutShortAfter} bytes`
}

const LONGEST_TOKEN_BYTES = 8n

/** Who hung up pays for what had come: what was reported until then, else what the gateway counted itself. */
function* auditAborted(
  sighting: Sighting,
  record: WrittenRecord,
  served: CallRecord | undefined,
): Generator<string, void> {
  const tokens = tokensOf(record)
  if (sighting.order.form.isStream && sighting.bytes > 0 && tokens.input === null) yield 'what came is not charged'
  if (tokens.input === null) return yield* auditFree(record)
  yield* auditPrice(sighting, record, served)
  if (record.usage_source !== 'reported') return yield* auditEstimate(sighting, record)
  const { model } = sighting.order
  const reported = served?.reportedUsage ?? null
  const reports = reported === null ? [] : model.reportsHalf ? [reported, halfReport(reported)] : [reported]
  if (!reports.some((usage) => isSame(tokens, chargedFor(sighting, served, usage)))) {
    yield `its tokens are ${shown(tokens)}, and the upstream reported ${JSON.stringify(reported)}`
  }
}

/** What is charged for a report: what it says, or the most that can be where it says more. */
function chargedFor({ order }: Sighting, served: CallRecord | undefined, reported: Usage): TokensByKind {
  const tokens = expectedTokens(wireOf(served, order.form.wire), reported)
  return order.model.isAbsurd ? cappedTokens(tokens) : tokens
}

/** The wire that the upstream was asked in: another than the client's where a target of another protocol served it. */
function wireOf(served: CallRecord | undefined, asked: MenuWire): MenuWire {
  if (served === undefined || asked === 'openai-embeddings') return asked
  return served.wire === 'messages' ? 'anthropic-messages' : 'openai-chat'
}

/** A count of our own cannot be foretold, but it has bounds: tokens have bytes. */
function* auditEstimate({ order }: Sighting, record: WrittenRecord): Generator<string, void> {
  const { input, output } = tokensOf(record)
  const { body, model, form } = order
  if (record.usage_source !== 'estimated') yield `its usage is ${record.usage_source}`
  // The start of a stream may have reported an input that is charged at its bound.
  const isReported = record.is_capped === 1n && model.isAbsurd
  if (!isReported && (input === null || input > BigInt(body.length)))
    yield `its input of ${input} tokens has ${body.length} bytes`
  const answerBytes = model.answerBytes ?? body.length
  const isEmbedding = form.wire === 'openai-embeddings'
  // Of embeddings that were left before they came, no output was reported.
  const isNone = isEmbedding && record.outcome === 'aborted' && output === null
  if (!isNone && (output === null || output > BigInt(isEmbedding ? 0 : answerBytes))) {
    yield `its output of ${output} tokens has ${answerBytes} bytes at most`
  }
  const isWholeText = record.outcome === 'completed' && !isEmbedding
  if (isWholeText && (input === 0n || output === 0n)) yield `nothing was counted: ${shown(tokensOf(record))}`
}

/** The record names the group that served it and the prices that hold there, and its cost follows from them. */
function* auditPrice(
  { order }: Sighting,
  record: WrittenRecord,
  served: CallRecord | undefined,
): Generator<string, void> {
  const { model, key } = order
  const { prices } = model
  const { group, multiplier } = servingGroup(key, record, served)
  const written = [
    record.price_input_nano,
    record.price_output_nano,
    record.price_cache_read_nano,
    record.price_cache_write_nano,
  ]
  const meant = [prices.input, prices.output, prices.cacheRead, prices.cacheWrite]
  if (String(written) !== String(meant)) yield `its prices are ${String(written)}, not ${String(meant)}`
  if (record.group_name !== group) yield `its group is ${record.group_name}, and ${group} served it`
  if (record.multiplier_ppm !== multiplier) yield `its multiplier is ${record.multiplier_ppm}, not ${multiplier}`
  const cost = expectedCost(tokensOf(record), prices, multiplier)
  if (record.cost_nano !== cost) yield `it costs ${record.cost_nano}, and ${shown(tokensOf(record))} cost ${cost}`
}

export function tokensOf(record: WrittenRecord): TokensByKind {
  return {
    input: record.input_tokens,
    cacheRead: record.cache_read_tokens,
    cacheWrite: record.cache_write_tokens,
    cacheWrite1h: record.cache_write_1h_tokens,
    output: record.output_tokens,
    reasoning: record.reasoning_tokens,
  }
}

function isWhole(served: CallRecord | undefined): boolean {
  return served?.completed === true
}

function isSame(one: TokensByKind, other: TokensByKind): boolean {
  return shown(one) === shown(other)
}

function shown(tokens: TokensByKind): string {
  const { input, cacheRead, cacheWrite, cacheWrite1h, output, reasoning } = tokens
  const cached = `cached ${cacheRead} read ${cacheWrite} written ${cacheWrite1h} for an hour`
  return `${input} in, ${cached}, ${output} out, ${reasoning} reasoning`
}
