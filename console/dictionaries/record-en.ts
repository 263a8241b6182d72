import { callNamesEn, tokenNamesEn } from './kind-names-en.ts'
import { plural } from './plural.ts'
import { obstacleEn } from './unreachable.ts'

/** What one request was, cost and went through. */
export const texts = {
  title: 'Request',
  notFound: 'Request not found',
  notRead: 'Couldn’t load the breakdown. Try again later.',
  deletedText:
    'It’s older than the records this server keeps. What it cost is still in your usage totals and balance history.',
  notFoundText: 'The ID may be incomplete or belong to another account. Requests appear here once they have ended.',
  copyLink: 'Copy link',
  copyId: 'Copy ID',
  copySupport: 'Copy for support',
  copyRetry: 'Retry as curl',
  sameNone: 'The only request with this error that day.',
  sameMore: (shown: string, isMore: boolean) =>
    isMore ? `Same error: more than ${shown} more that day` : `Same error: ${shown} more that day`,
  surroundings: {
    title: 'For admins',
    account: 'Open the account',
    key: 'Open the key',
    upstream: 'Open the upstream',
    like: 'More like this',
    minute: 'Upstreams in the same minute',
    noUpstream: 'No upstream',
    failed: (failed: string, all: string) => `${failed} of ${all} failed`,
    changes: 'Changes within five minutes',
    noChanges: 'No changes at that time.',
  },
  steps: {
    queue: 'in the queue',
    earlier: 'failed attempts',
    connect: 'connecting',
    wait: 'Waiting',
    answer: 'Streaming',
  },
  speed: 'output speed',
  perSecond: (count: string) => `${count} tokens/s`,
  unknownFault: 'This version of the console doesn’t know this error.',
  price: 'Cost breakdown',
  kind: 'Kind',
  formula: (line: FormulaLine) =>
    `${line.written} ${unitOf(line)} × ${line.price} ${line.per === 1 ? 'each' : 'per million'}${line.multiplier === null ? '' : ` × ${line.multiplier}`}`,
  tokens: 'Tokens',
  counts: 'Counted',
  amount: 'Cost',
  sum: 'Sum',
  rounding: 'Rounded up to a billionth of a dollar',
  cost: 'Cost',
  nothing: 'Not charged.',
  doesNotAddUp: 'The lines add up to more than the maximum charge for one request. The cost shown is what was charged.',
  estimated: 'The provider reported no usage. The gateway counted the tokens itself, so the cost is an estimate.',
  capped: 'The provider reported more usage than is possible. The counts were capped.',
  notes: {
    input_above_bytes:
      'The provider reported more input tokens than expected for a request of this size. It was charged as reported.',
    input_above_limit:
      'The provider reported more input than the model can read. The charge was capped at the model’s context length.',
    output_above_limit:
      'The provider reported more output than the model can write. The charge was capped at the model’s output limit.',
    input_reported_as_none: 'The provider reported no input, so the gateway counted the prompt itself.',
    output_reported_as_none: 'The provider reported no output, so the gateway counted the answer itself.',
    hidden_output:
      'The client disconnected before the usage arrived. Hidden reasoning was charged at the average of this model’s recent answers.',
    calls_above_limit: 'The provider reported an implausible number of tool calls. The charge was capped.',
    terms_unpriced:
      'The provider used a service tier or region that has no price here. The standard price was charged.',
    calls_unpriced:
      'The provider ran a tool that has no price here. Its calls weren’t charged. Add a fee for it, or 0, to the price of the model.',
    left_unanswered:
      'The client disconnected before the answer began. The request had already been sent, so its input was charged, or the images it asked for.',
    input_at_bound:
      'The request referred to files, earlier answers, or hosted tools, and the provider did not report the input. The model’s whole context was charged.',
    hedged_away:
      'A slow request was also sent to a second upstream, and this attempt was cancelled before it had answered. No account pays for it. The cost at the provider is an estimate.',
    kept_answer: 'Answered from the group’s response cache, at the price for cached answers. No upstream was called.',
  },
  serviceTier: (name: string) => `Service tier ${name}.`,
  inferenceGeo: (name: string) => `Inference region ${name}.`,
  aboveInputTokens: (tokens: string) => `Prices for prompts above ${tokens} tokens.`,
  reasoning: (count: string) => `${count} of the output tokens were reasoning. They aren’t charged separately.`,
  who: 'Paid by',
  balance: 'Balance',
  subscription: (plan: string) => `Subscription ${plan}`,
  free: 'Not charged',
  attempts: 'Attempts',
  attempt: (number: number, upstream: string) => `${number}. ${upstream}`,
  attemptOk: 'succeeded',
  attemptHedgedAway: 'cancelled, no longer needed',
  attemptRefusedSettings: (settings: string) => `Refused ${settings}; sent again without it.`,
  attemptLeftOut: (settings: string) => `Sent without ${settings}, which this target refuses.`,
  providerRequestId: 'Provider’s request ID',
  obstacle: obstacleEn,
  providerSaid: (words: string) => `The provider said: “${words}”`,
  route: 'Upstream selection',
  routeStep: (upstream: string, reason: string) => `${upstream}: ${reason}`,
  routeRest: (seconds: number) => `(${seconds} s left)`,
  routeLearned: (setting: string) => `learned: leaves out ${setting}`,
  routeLearnedSaid: (time: string, words: string) => `(refused on ${time}: “${words}”)`,
  routeShadow: (rules: readonly string[]) => `would have been skipped: ${rules.join(', ')} (shadow rule)`,
  routeMore: (count: number) => `and ${count} more`,
  noAttempts: 'The request wasn’t sent to a provider.',
  untilFirstByte: 'to first byte',
  inAll: 'in total',
  details: 'Details',
  shadowRules: {
    max_concurrency: 'too many concurrent requests',
    requests_per_minute: 'too many requests per minute',
    tokens_per_minute: 'too many tokens per minute',
    spend_per_day: 'at its spending cap',
    min_margin: 'margin below the minimum',
  },
  routeReasons: {
    taken: 'called',
    affinity: 'selected (same conversation)',
    hedge: 'called as well, because the first was slow to answer',
    panic: 'called while cooling down, because too few others were healthy',
    not_needed: 'available',
    doubt: 'failed lately, so few requests try it first',
    cooling: 'skipped, cooling down after failures',
    held: 'skipped, its credential was rejected',
    disabled: 'skipped, disabled',
    group: 'skipped, not for this group',
    margin: 'skipped, margin below the minimum',
    capability: 'skipped, can’t serve this request',
    owner: 'skipped, the request refers to something stored at another upstream',
    load: 'skipped, busier than the others, or full',
    cap: 'skipped, at its spending cap',
    retries: 'skipped, too many retries already',
    unusable: 'skipped, not usable as configured',
  },
  kinds: {
    ...tokenNamesEn,
    requests: 'Request',
    images: 'Images',
    seconds: 'Seconds of audio',
    characters: 'Characters',
    web_search: 'Web searches',
    web_fetch: 'Web fetches',
    file_search: 'File searches',
    code_interpreter: 'Code interpreter',
    image_generation: 'Image generation',
    grounded_prompt: 'Grounded prompt',
    maps_grounding: 'Maps grounding',
    x_search: 'X searches',
    document_search: 'Document searches',
    file_parsing: 'Parsed files',
    other_tool: 'Other tools',
  },
  outcomeText: {
    aborted: 'The client disconnected early. The output produced until then was charged.',
    interrupted: 'The gateway stopped during this request. It wasn’t charged.',
    refused: 'The request wasn’t sent to a model and wasn’t charged.',
    failed: 'The request failed and wasn’t charged.',
    failedCharged: 'The request failed partway. The output produced until then was charged.',
    endedEarly: 'The stream was ended early. The output produced until then was charged.',
  },
  notReported: 'not reported',
  limits: 'Limits',
  device: 'Signed-in device',
  signedIn: 'By its sign-in',
  storedSecret: (client: string) => `By the secret stored for ${client}`,
  limitLeft: {
    concurrency: (left: string, most: string) => `${left} of ${most} concurrent requests left`,
    requests: (left: string, most: string) => `${left} of ${most} requests per minute left`,
    tokens: (left: string, most: string) => `${left} of ${most} tokens per minute left`,
  },
  limitResets: (time: string) => `all free again at ${time}`,
  upstream: (name: string) => name.replace(/^upstream-(\d+)$/, 'Upstream $1'),
}

/** One line of how a cost came about. */
interface FormulaLine {
  readonly kind: string
  readonly count: number
  /** The count as it is written in this language. */
  readonly written: string
  readonly price: string
  readonly per: 1 | 1_000_000
  readonly multiplier: string | null
}

/** What was counted: tokens, unless the kind is a unit of its own. */
function unitOf({ kind, count }: FormulaLine): string {
  if (kind === 'requests') return plural(count, { one: 'request', other: 'requests' })
  if (kind === 'images') return plural(count, { one: 'image', other: 'images' })
  if (kind === 'seconds') return plural(count, { one: 'second', other: 'seconds' })
  if (kind === 'code_interpreter') return plural(count, { one: 'container', other: 'containers' })
  if (Object.hasOwn(callNamesEn, kind)) return plural(count, { one: 'call', other: 'calls' })
  if (kind === 'characters') return plural(count, { one: 'character', other: 'characters' })
  return plural(count, { one: 'token', other: 'tokens' })
}
