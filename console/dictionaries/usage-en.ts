import { plural } from './plural.ts'

export const usageEn = {
  lead: 'Requests and cost by key and model.',
  csv: 'Download CSV',
  csvHint: 'All matching requests, not only this page',
  zone: (name: string) => `Times are in your time zone: ${name}.`,
  widened: (from: string, to: string) => `Totals cover whole hours or days, from ${from} to ${to}.`,
  shiftedDays: (time: string) => `Usage is totalled by full UTC hours, so a day starts at ${time} here.`,
  span: 'Period',
  spans: {
    '24h': 'Last 24 hours',
    '7d': 'Last 7 days',
    '30d': 'Last 30 days',
    '90d': 'Last 90 days',
    month: 'This month',
    custom: 'Choose dates…',
  },
  from: 'From',
  to: 'Until',
  filters: {
    title: 'Filter',
    key: 'Key',
    group: 'Group',
    model: 'Model',
    fault: 'Error',
    anyFault: 'any error',
    remove: (what: string) => `Remove filter: ${what}`,
    clear: 'Clear filters',
  },
  summary: 'Totals',
  totals: {
    cost: 'Cost',
    requests: 'Requests',
    failed: 'Failed',
    tokens: 'Tokens',
    cached: 'Cached input',
    tokensSplit: (input: string, output: string) => `${input} in, ${output} out`,
    cachedOf: 'of all input',
    failedOf: (share: string) => `${share} of requests`,
    perRequest: (cost: string) => `${cost} per request`,
  },
  measure: 'Show',
  measures: { cost: 'Cost', requests: 'Requests', tokens: 'Tokens' },
  split: 'By',
  splits: { model: 'Model', key: 'Key', group: 'Group', none: 'Total' },
  by: 'Per',
  sizes: { hour: 'Hour', day: 'Day' },
  hoursOut: (days: number) => `Choose a period of at most ${days} days to see hours.`,
  view: 'Shown as',
  asChart: 'Chart',
  asTable: 'Table',
  chart: (measure: string, size: string) => `${measure} per ${size.toLowerCase()}`,
  chartHint: 'Use the arrow keys to move between bars and Enter to open one.',
  barEmpty: (name: string) => `${name}: no usage`,
  wholeSpan: 'Whole period',
  total: 'Total',
  rest: 'Other',
  withoutName: { model: 'no model', key: 'no key', group: 'no group', none: 'All' },
  onlyThis: (name: string) => `Show only ${name}`,
  bucket: { hour: 'Hour', day: 'Day' },
  nothingDrawn: 'No usage in this period',
  records: 'Requests',
  searchRequest: 'Request ID',
  emptyTitle: 'No requests yet',
  emptyText: 'Once you use a key, each request appears here with its tokens, its cost and, if it failed, the reason.',
  emptyAction: 'Set up a client',
  nothingInSpan: 'No requests in this period',
  nothingInSpanText: 'Choose a longer period or remove filters.',
  columns: {
    time: 'Time',
    outcome: 'Outcome',
    model: 'Model',
    key: 'Key',
    group: 'Group',
    cost: 'Cost',
    input: 'Input',
    cacheRead: 'Cached input',
    cacheWrite: 'Cache write',
    output: 'Output',
    reasoning: 'Reasoning',
    multiplier: 'Multiplier',
    serviceTier: 'Service tier',
    total: 'Duration',
    firstByte: 'First byte',
    protocol: 'Protocol',
    stream: 'Stream',
    client: 'Client',
    status: 'Status',
    attempts: 'Attempts',
    source: 'Usage source',
    id: 'Request ID',
  },
  yes: 'yes',
  no: 'no',
  notReported: 'not reported',
  outcomes: {
    completed: 'Completed',
    refused: 'Refused',
    failed: 'Failed',
    aborted: 'Cancelled by client',
    interrupted: 'Interrupted',
  },
  outcomeText: {
    aborted: 'The client disconnected early. The output produced until then was charged.',
    interrupted: 'The gateway stopped during this request. It wasn’t charged.',
    refused: 'The request was not sent to a model and wasn’t charged.',
    failed: 'The request failed and wasn’t charged.',
    failedCharged: 'The request failed partway. The output produced until then was charged.',
    endedEarly: 'The stream was ended early. The output produced until then was charged.',
  },
  sources: { reported: 'Provider', estimated: 'Gateway (estimate)', none: 'None' },
  record: {
    title: 'Request',
    notFound: 'Request not found',
    notFoundText: 'The ID may be incomplete or belong to another account. Requests appear here once they have ended.',
    copyLink: 'Copy link',
    copyId: 'Copy ID',
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
    nothing: 'No usage, no charge.',
    doesNotAddUp:
      'The lines add up to more than the maximum charge for one request. The cost shown is what was charged.',
    estimated: 'The provider reported no usage. The gateway counted the tokens itself, so the cost is an estimate.',
    capped: 'The provider reported more usage than is possible. The counts were capped.',
    notes: {
      input_above_bytes:
        'The provider reported more input than the size of the request explains. It was charged as reported.',
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
      left_unanswered:
        'The client disconnected before the answer began. The input had already been sent, so it was charged.',
      input_at_bound:
        'The request referred to files, earlier answers, or hosted tools, and the provider did not report the input. The model’s whole context was charged.',
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
    route: 'Upstream selection',
    routeStep: (upstream: string, reason: string) => `${upstream}: ${reason}`,
    routeRest: (seconds: number) => `(${seconds} s left)`,
    routeMore: (count: number) => `and ${count} more`,
    noAttempts: 'The request was not sent to a provider.',
    untilFirstByte: 'to first byte',
    inAll: 'in total',
    afterwards: 'from first byte to end',
    details: 'Details',
    toKeys: 'Go to API keys',
    toModels: 'Go to models',
    toBilling: 'Go to billing',
  },
  routeReasons: {
    taken: 'called',
    panic: 'called while cooling down, because too few others were healthy',
    not_needed: 'healthy, not needed',
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
    input: 'Input',
    cache_read: 'Cached input',
    cache_write: 'Cache write',
    cache_write_1h: 'Cache write (1 hour)',
    output: 'Output',
    audio_input: 'Audio input',
    audio_output: 'Audio output',
    image_input: 'Image input',
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
  },
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

const CALLS: ReadonlySet<string> = new Set([
  'web_search',
  'web_fetch',
  'file_search',
  'image_generation',
  'grounded_prompt',
  'maps_grounding',
])

/** What was counted: tokens, unless the kind is a unit of its own. */
function unitOf({ kind, count }: FormulaLine): string {
  if (kind === 'requests') return plural(count, { one: 'request', other: 'requests' })
  if (kind === 'images') return plural(count, { one: 'image', other: 'images' })
  if (kind === 'seconds') return plural(count, { one: 'second', other: 'seconds' })
  if (kind === 'code_interpreter') return plural(count, { one: 'container', other: 'containers' })
  if (CALLS.has(kind)) return plural(count, { one: 'call', other: 'calls' })
  if (kind === 'characters') return plural(count, { one: 'character', other: 'characters' })
  return 'tokens'
}

export type UsageTexts = typeof usageEn
