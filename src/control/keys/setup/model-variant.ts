/** What a chat model's name says of it, for the choice of the one to suggest. */
export interface ModelVariant {
  /** What the makers call the whole line: `gpt`, `claude`; the name's first word where it is none of the known. */
  readonly family: string
  /** The numbers of its version, such as 4 and 5 of `claude-sonnet-4-5`; those of dates and sizes left out. */
  readonly version: readonly number[]
  /** The plain one of its line, a dated form of it, one for a purpose, a small one, or the dearest one. */
  readonly tier: 'plain' | 'dated' | 'special' | 'small' | 'dearest'
}

export function variantOf(name: string): ModelVariant {
  const whole = name.toLowerCase()
  // What stands before is who serves it or where: `openai/`, `accounts/fireworks/models/`, `us.anthropic.`
  const plain = whole.slice(whole.lastIndexOf('/') + 1)
  const undated = plain.replace(DATE, '')
  const family = FAMILIES.find(([, pattern]) => pattern.test(plain))?.[0] ?? /^[a-z]+/.exec(plain)?.[0] ?? plain
  return { family, version: versionOf(undated), tier: tierOf(plain, undated !== plain) }
}

/** The place of a line among those that most people come for; the lines behind it are all alike. */
export function familyPlace(family: string): number {
  const place = FAMILIES.findIndex(([name]) => name === family)
  return place === -1 ? FAMILIES.length : place
}

/** `gpt-5` before `gpt-4.1` before `gpt-4`. */
export function newerFirst(a: ModelVariant, b: ModelVariant): number {
  for (let i = 0; i < Math.max(a.version.length, b.version.length); i++) {
    const order = (b.version[i] ?? 0) - (a.version[i] ?? 0)
    if (order !== 0) return order
  }
  return 0
}

/** Lines of chat models that can do most things, the most asked for first. */
const FAMILIES: readonly (readonly [string, RegExp])[] = [
  ['gpt', /gpt-?\d/],
  ['claude', /claude/],
  ['gemini', /gemini/],
  ['deepseek', /deepseek/],
  ['qwen', /qwen|qwq/],
  ['glm', /(?:^|[^a-z])glm/],
  ['kimi', /kimi|moonshot/],
  ['minimax', /minimax|abab/],
  ['grok', /grok/],
  ['mistral', /mi[sx]tral|magistral/],
  ['doubao', /doubao/],
  ['hunyuan', /hunyuan/],
  ['ernie', /ernie/],
  ['llama', /llama/],
  ['command', /command/],
  ['nova', /nova/],
]

/** `-20250929`, `-2024-08-06`, `-0613`, `-2507`, `@001`. */
const DATE = /[-_@](?:20\d{6}|20\d\d-\d\d(?:-\d\d)?|\d\d-\d\d(?!\d)|(?:0[1-9]|1[0-2]|2\d)\d\d|00\d)(?=$|[-_.:@])/g

/** Sizes, lengths and formats: `70b`, `a22b`, `128k`, `fp8`, `v1:0` of Amazon's names. */
const NO_VERSION = /(?:^|[^a-z0-9])(?:a?\d+(?:\.\d+)?[bmk]|fp\d+|bf16|int\d|q\d\w*|\d+e|v\d+:\d+)(?=$|[^a-z0-9])/g

function versionOf(undated: string): readonly number[] {
  const numbers = /\d+(?:[.-]\d{1,2}(?!\d))*/.exec(undated.replace(NO_VERSION, '-'))?.[0]
  return numbers === undefined ? [] : numbers.split(/[.-]/).map(Number)
}

const DEAREST = /(?:^|[^a-z])(?:opus|ultra|deep-?research|deep-?think|heavy|max-pro|fable|mythos)(?:$|[^a-z])/

/** Where `pro` is the dear one of a line; elsewhere it is the plain one. */
const DEAR_PRO = /(?:gpt-?\d[\w.]*|(?:^|[^a-z])o\d)(?:-[\d-]+)?-pro(?:$|[^a-z])/

/** Where `pro` is the plain one. */
const PLAIN_PRO = /(gemini\S*)-pro/

const SMALL =
  /(?:^|[^a-z0-9])(?:mini|nano|lite|small|tiny|micro|haiku|flash|flashx|air|airx|fast|instant|edge|spark|ministral|[0-9](?:\.\d+)?b|1[0-4]b)(?=$|[^a-z0-9])|(?:qwen|abab\S*|hunyuan|ernie|step|doubao)\S*-(?:turbo|speed)/

const SPECIAL =
  /^ft:|(?:^|[^a-z0-9])(?:codex|coder?|code|codestral|devstral|starcoder|math|vision|vl|vlm|omni|search|research|think(?:ing)?|reason(?:er|ing)?|preview|exp|experimental|beta|alpha|character|role|roleplay|persona|translate|computer-use|distill\S*|base|uncensored|abliterated|dolphin|hermes|free|multi-agent|audio|oss|custom|instruct-turbo|turbo|pro|r1\S*|qwq|qvq|prover|med\S*|legal|finance|long|batch|sonar\S*|\d+v|o\d)(?=$|[^a-z0-9])/

function tierOf(plain: string, isDated: boolean): ModelVariant['tier'] {
  if (DEAREST.test(plain) || DEAR_PRO.test(plain)) return 'dearest'
  if (SMALL.test(plain)) return 'small'
  if (SPECIAL.test(plain.replace(PLAIN_PRO, '$1'))) return 'special'
  return isDated || plain.endsWith('latest') ? 'dated' : 'plain'
}
