import type { TokenCounts } from '../core/tokens.ts'
import { known, NO_UNITS, ONE_REQUEST } from '../core/units.ts'
import type { Answer, WholeProtocol } from './protocol.ts'
import { answerOrError, readFields } from './reading/answer.ts'
import { bothWays, requestReader } from './reading/request-head.ts'
import { inputOnlyCounts } from './reading/openai-usage.ts'
import { JsonFlaw } from './json/json-bytes.ts'
import { renameModel } from './reading/request-rewrite.ts'
import { readErrorAnswer } from './reading/upstream-error.ts'
import { tokenCount } from './reading/usage-report.ts'
import { fieldsOf } from './json/json-object.ts'

const readHead = requestReader({ hasNoOutput: true })

/**
 * `POST /v1/rerank`, in the shape of Cohere and Jina. Usage comes as `usage.total_tokens` (Jina, Voyage, vLLM), as
 * `meta.tokens.input_tokens` or `meta.billed_units.input_tokens` (SiliconFlow), or as `meta.billed_units.search_units`
 * (Cohere), which are counted as requests: one query with up to a hundred documents, of which a long one counts several
 * times (https://docs.cohere.com/docs/how-does-cohere-pricing-work).
 */
export const rerank: WholeProtocol = {
  wire: 'rerank',
  streams: false,
  ...bothWays(function* (body) {
    const most = 1 + Math.ceil(body.length / BYTES_PER_SEARCH_UNIT)
    const { head } = yield* readHead(body)
    return { ...head, units: { ...ONE_REQUEST, requests: { ...known(1), most } } }
  }),
  rewriteRequest: renameModel,
  readAnswer,
  readError: readErrorAnswer,
}

/** A search unit is a hundred documents, each of which takes four bytes of JSON at least. */
const BYTES_PER_SEARCH_UNIT = 400
const WANTED = new Set(['usage', 'meta', 'error'])

function readAnswer(body: Buffer): Answer {
  const fields = readFields(body, WANTED)
  if (fields instanceof JsonFlaw) return { kind: 'malformed', why: fields.message }
  return answerOrError(fields, countsOf(fields.get('usage'), fields.get('meta')))
}

function countsOf(usage: unknown, meta: unknown): TokenCounts {
  const billed = fieldsOf(fieldsOf(meta)['billed_units'])
  const reported = inputOnlyCounts(usage)
  const others = [fieldsOf(meta)['tokens'], billed].filter(
    (each) => tokenCount(fieldsOf(each)['input_tokens']) !== null,
  )
  const counts = reported.input === null ? inputOnlyCounts(others[0]) : reported
  const searchUnits = tokenCount(billed['search_units'])
  return searchUnits === null ? counts : { ...counts, units: { ...NO_UNITS, requests: Math.max(1, searchUnits) } }
}
