/** A word that this project has another word for. Patterns are matched against the output of `plainWords`. */
interface ForbiddenWord {
  readonly say: string
  readonly pattern: RegExp
  /** Phrases in which the word means something else. */
  readonly allowed?: RegExp
  /** Files in which it is the right word for something else. */
  readonly homes?: RegExp
  /** Only names in the code are looked at: in a sentence the word has its everyday meaning. */
  readonly namesOnly?: true
}

/** Where it is said how upstreams are reached, or what stands before the gateway: a proxy, perhaps, which is none of ours. */
const OF_WAYS_TO_UPSTREAMS =
  /^(src\/upstreams\/|src\/routing\/(candidate|catalog|credential|failure-class|upstream-settings)|src\/app\/declarative\/(apply-catalog|declarative-file|export-file|named-change|schema|upstream-fields)|src\/app\/server\/(answer-timer|check-upstream|probe-address|snapshot-keeper|upstream-address)|src\/causes\/(answerer|connection-|elsewhere-texts|status-texts)|console\/pages\/diagnose\/pastes\/|src\/contract\/(?:objects\/credential|objects\/upstream|upstream)|src\/core\/(?:bounds|model-list-results)|console\/(dictionaries\/(upstreams-|unreachable)|pages\/admin\/upstreams\/|api\/upstream-admin)|bench\/peers\/bare|src\/control\/((models|routes|views)\/upstream-|written-settings|parts)|src\/store\/schema\/credentials|src\/gateway\/(choice\/target-candidates|upstream-faults|exchange\/(attempt-outcome|attempt-obstacle|error-excerpt))|test\/support\/local-proxy|test\/conformance\/control-targets|docs\/(declarative-file|metrics|operating|routing)\.md)/

/** The "never called" column of the project's words, with the uses that mean something else. */
const FORBIDDEN_WORDS: readonly ForbiddenWord[] = [
  {
    say: 'gateway',
    pattern: /\brelay(s|ed|ing|er)?\b/g,
    // What passes the bytes of one stream on.
    homes: /^(src\/gateway\/exchange\/(stream-relay|exchange\.ts)|docs\/decisions\/0130-)/,
  },
  {
    say: 'gateway',
    pattern: /\bprox(y|ies|ied|ying)\b/g,
    homes: OF_WAYS_TO_UPSTREAMS,
    allowed:
      /\b(trusted|http|https|socks|no|all|reverse|plain|corporate|ha) prox(y|ies)\b|\bproxy (auth helper|connection|authorization|authenticate|pass|protocol|agent|http version|set header|buffering)\b|\bprox(y|ies) (in front|of ours)\b|\bglobal proxy from env\b/g,
  },
  { say: 'console', pattern: /\b(dashboard|panel)s?\b/g, allowed: /\bgrafana dashboards?\b|\bdashboard billing\b/g },
  { say: 'account', pattern: /\bcustomers?\b/g, allowed: /\bcustomer email\b/g },
  { say: 'API key', pattern: /\b(api|virtual) tokens?\b|\btoken keys?\b/g },
  {
    say: 'provider',
    pattern: /\bplatforms?\b/g,
    allowed:
      /\b(process|os) platform\b|\bauth cloud platform\b|\bplatform (openai|claude|deepseek) com\b|\bplatform moonshot (ai|cn)\b|\bplatform kimi ai\b|\bplatform packages?\b/g,
  },
  { say: 'upstream', pattern: /\bchannels?\b/g, allowed: /\b(message|broadcast|diagnostics) channels?\b/g },
  { say: 'route or target', pattern: /\bmappings?\b/g, allowed: /\b(yaml|source) mappings?\b/g },
  { say: 'price or multiplier', pattern: /\bratios?\b/g, allowed: /\b(aspect|compression) ratios?\b/g },
  { say: 'multiplier', pattern: /\b(group|price|model|billing) rates?\b|\brate multipliers?\b/g },
  { say: 'reservation', pattern: /\bpre ?(deduct|consum|charg)\w*\b/g },
  { say: 'usage record', pattern: /\b(usage|consumption|billing) logs?\b/g },
  {
    say: 'balance',
    pattern:
      /\b(credit|quota) balances?\b|\b(remaining|available) credits?\b|\bcredits? (left|remaining)\b|\baccount credits\b|\b(account|user) quotas?\b/g,
    // What providers say of accounts there.
    homes: /^(src\/routing\/account-refusals|docs\/decisions\/0074-)/,
  },
  { say: 'fault', pattern: /\b\w+ exception\b/g, allowed: /\b(uncaught|dom|errno) exception\b/g, namesOnly: true },
]

/** One look for all of them: nearly every text has none. */
const ANY_FORBIDDEN_WORD = new RegExp(FORBIDDEN_WORDS.map(({ pattern }) => pattern.source).join('|'))

/** Whether a source is worth its tree. What is written with escapes may follow one without a space, as in `\nrelay`. */
export function mayHoldForbiddenWord(text: string): boolean {
  return ANY_FORBIDDEN_WORD.test(plainWords(text.replace(/\\(?:[nrtvbf0]|u\w{4}|x\w\w)/g, ' ')))
}

/** Files about other gateways, which speak of what is there in the words that are used there. */
const SPEAKS_OF_OTHERS =
  /^(src\/(import\/|access\/imported-keys|app\/(cli\/import-|history\/))|test\/(journeys\/import-(new-api|one-api|sub2api|kills)|support\/import-sources\/)|docs\/moving-in\.md)/

/** A path of the console API, in which the two words stand side by side and mean access tokens. */
const ACCESS_TOKENS_PATH = '/api/tokens'

/** Words that say nothing about what a file holds. */
const EMPTY_FILE_WORDS = /\b(utils?|utilit(y|ies)|helpers?|managers?|services?|common|misc|index)\b/

/** The complaints about a piece of text in the file of this path, each as `"word": say …`. `isName`: an identifier, not a sentence. */
export function complaints(text: string, { isName, path }: { isName: boolean; path: string }): string[] {
  const words = plainWords(text.replaceAll(ACCESS_TOKENS_PATH, ' - '))
  if (!ANY_FORBIDDEN_WORD.test(words) || SPEAKS_OF_OTHERS.test(path)) return []
  return FORBIDDEN_WORDS.flatMap(({ say, pattern, allowed, homes, namesOnly }) => {
    if ((namesOnly === true && !isName) || homes?.test(path) === true) return []
    const rest = allowed === undefined ? words : words.replace(allowed, ' - ')
    return (rest.match(pattern) ?? []).map((found) => `"${found}": say ${say}`)
  })
}

/** The empty word in a path, if there is one. */
export function emptyWordIn(path: string): string | undefined {
  return EMPTY_FILE_WORDS.exec(plainWords(path))?.[0]
}

/** Lower-case words with one space between: `groupRatio`, `GROUP_RATIO` and `group-ratio` all give `group ratio`. */
export function plainWords(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .toLowerCase()
    .trim()
}
