import { type FaultFacts, KEY_MISTAKES } from '../core/fact-values.ts'
import type { FaultCode } from '../core/faults.ts'
import { explainEnglish, sentence } from './english.ts'

/** A sentence of the gateway that stands in a text. */
export interface SaidSentence {
  /** What it was written from: these write exactly that sentence again. */
  readonly facts: FaultFacts
  /** The text without it, on one line. */
  readonly rest: string
}

/**
 * Reads the gateway's own sentence about a fault back out of a text, such as what a client printed, so that it can be
 * explained in any language. null: it has no such sentence, or one without facts.
 */
export function saidSentence(text: string, code: FaultCode): SaidSentence | null {
  const flat = text
    .replaceAll('\\"', '"')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ \(in \d[^)]{0,40}\)/g, '')
  for (const known of FORMS[code] ?? []) {
    const match = patternOf(code, known)?.exec(flat) ?? null
    if (match === null) continue
    const facts = { ...known, ...readGroups(match.groups ?? {}) }
    const explained = explainEnglish(code, facts)
    if (explained === null || sentence(explained) !== match[0]) continue
    return { facts, rest: flat.replace(match[0], ' ') }
  }
  return null
}

/** Stands for what a sentence says of one request. With a digit, as amounts without one are zero. */
const mark = (name: string): string => `\u{E000}${name}1\u{E001}`
const NUMBERS = ['missing', 'extra', 'length', 'max', 'used', 'wait_s', 'affordable_tokens', 'limit_mb'] as const
const MORE_NUMBERS = ['input_tokens', 'output_tokens', 'part', 'nodes'] as const
const ALL_NUMBERS = [...NUMBERS, ...MORE_NUMBERS]
const FIRST_NUMBER = 900_001
const LISTS: Readonly<Record<string, RegExp>> = { near: /" or "/, allowed: /", "/, groups: /", "/ }

type SaidFactName = keyof FaultFacts

function marked(...names: readonly SaidFactName[]): FaultFacts {
  const numbers: readonly string[] = ALL_NUMBERS
  return Object.fromEntries(
    names.map((name) => {
      if (numbers.includes(name)) return [name, FIRST_NUMBER + numbers.indexOf(name)]
      return [name, name in LISTS ? [mark(name)] : mark(name)]
    }),
  )
}

function patternOf(code: FaultCode, facts: FaultFacts): RegExp | null {
  const explained = explainEnglish(code, facts)
  if (explained === null) return null
  const escaped = sentence(explained).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const seen = new Set<string>()
  const group = (name: string, form: string): string => {
    if (seen.has(name)) return form
    seen.add(name)
    return `(?<${name}>${form})`
  }
  const texts = escaped.replaceAll(/\u{E000}(\w+)1\u{E001}/gu, (_, name: string) => group(name, formOf(name)))
  const whole = texts.replaceAll(/9000\d\d(?: (\w+)s\b)?/g, (found, unit: string | undefined) => {
    const name = ALL_NUMBERS[Number(found.slice(0, 6)) - FIRST_NUMBER] ?? ''
    return `${group(name, String.raw`\d{1,12}`)}${unit === undefined ? '' : ` ${unit}s?`}`
  })
  return new RegExp(String.raw`${whole}(?!\w)`)
}

function formOf(name: string): string {
  if (name in LISTS) return '.{1,400}?'
  if (name === 'path') return String.raw`/\S{0,120}?`
  if (name === 'method' || name === 'takes') return '[A-Z]{2,10}'
  if (name === 'served') return '.{1,900}?'
  // What stands there where the fact is absent.
  if (name === 'lacks') return String.raw`(?!one\b).{1,120}?`
  if (name.endsWith('_usd')) return String.raw`[\d.]{1,40}?`
  return name.endsWith('end') || name === 'at' || name.endsWith('_at') ? String.raw`\S{1,40}?` : '.{1,120}?'
}

function readGroups(groups: Readonly<Record<string, string>>): FaultFacts {
  const numbers: readonly string[] = ALL_NUMBERS
  return Object.fromEntries(
    Object.entries(groups).map(([name, value]) => {
      const list = LISTS[name]
      if (list !== undefined) return [name, value.split(list)]
      return [name, numbers.includes(name) ? Number(value) : value]
    }),
  )
}

/** The longer a form, the earlier it is tried: a shorter one may be the beginning of it. */
function forms(...given: readonly FaultFacts[]): readonly FaultFacts[] {
  return given.toSorted((a, b) => Object.keys(b).length - Object.keys(a).length)
}

/** Combines the facts with each of the additions, and with none. */
function eachWith(facts: readonly FaultFacts[], ...additions: readonly FaultFacts[]): readonly FaultFacts[] {
  return facts.flatMap((one) => [...additions.map((addition) => ({ ...one, ...addition })), one])
}

const CALLABLE = [marked('near'), { ...marked('allowed'), has_more: true }, marked('allowed')]
const ADVICE = [marked('affordable_tokens'), marked('input_usd', 'model'), marked('input_usd')]
const SHORTAGE = eachWith([marked('needed_usd', 'left_usd')], ...ADVICE)
const RESETS = [marked('resets_at'), { limit_usd: '0' }]
const END = marked('end')
const DEVICE = { device: true } as const
const SCOPES = [{ scope: 'key' }, { scope: 'account' }] as const

/** What of its facts the sentence of a fault can show. */
const FORMS: { readonly [C in FaultCode]?: readonly FaultFacts[] } = {
  key_missing: [{}],
  account_disabled: [{}, DEVICE],
  key_malformed: forms(
    ...KEY_MISTAKES.flatMap((mistake) => eachWith([{ mistake }], END)),
    ...(['start', 'end'] as const).flatMap((where) =>
      eachWith([{ mistake: 'missing', where, ...marked('missing') }], END),
    ),
    ...eachWith([{ mistake: 'extra', ...marked('extra') }], END),
    { mistake: 'too_long', ...marked('length') },
    DEVICE,
    ...(['inside', 'around'] as const).flatMap((where) =>
      eachWith([{ mistake: 'white_space', where }], { line_break: true }),
    ),
  ),
  key_unknown: forms({ access_token: true }, DEVICE, marked('foreign'), END),
  key_deleted: forms(...eachWith([marked('at')], END, DEVICE)),
  key_disabled: forms(...eachWith([marked('at')], END, DEVICE)),
  key_expired: forms(
    ...eachWith([marked('at')], END, DEVICE),
    DEVICE,
    ...eachWith(eachWith(eachWith([{ replaced: true }], marked('new_end')), marked('at')), END),
  ),
  ip_not_allowed: forms(marked('address')),
  group_disabled: forms(marked('group')),
  group_forbidden: forms(...eachWith([marked('group')], marked('plan', 'from', 'until'))),
  model_unknown: forms(...eachWith([marked('model')], ...CALLABLE)),
  model_not_allowed: forms(...eachWith([marked('model')], ...CALLABLE)),
  model_not_in_group: forms(
    ...eachWith(eachWith([marked('model', 'groups')], { why: 'untargeted' }), ...CALLABLE),
    ...eachWith([marked('groups')], { why: 'limited' }),
  ),
  request_invalid: forms(marked('model', 'lacks')),
  model_unpriced: forms(...eachWith(eachWith([marked('model')], marked('endpoint')), marked('lacks'))),
  balance_exhausted: forms(...SHORTAGE, { left_usd: '0' }),
  key_quota_exhausted: forms(...eachWith([...SHORTAGE, { left_usd: '0' }], ...RESETS)),
  subscription_quota_exhausted: forms(
    ...eachWith(eachWith(eachWith(SHORTAGE, ...RESETS), marked('window')), marked('balance_usd')),
  ),
  credential_throttled: forms(marked('max')),
  rate_limited: forms(
    ...SCOPES.flatMap((scope) =>
      (['requests', 'tokens', 'concurrency'] as const).flatMap((limit) => [
        { ...scope, limit, max: 0 },
        ...eachWith(
          eachWith([{ ...scope, limit, ...marked('max', 'used') }], marked('input_tokens', 'output_tokens')),
          { ...marked('wait_s') },
        ),
      ]),
    ),
    ...SCOPES.flatMap((scope) =>
      eachWith(
        SHORTAGE.map((of) => ({ ...of, ...scope, limit: 'spend' as const, ...marked('limit_usd', 'window') })),
        marked('resets_at'),
      ),
    ),
  ),
  body_too_large: forms(marked('limit_mb')),
  base_url_wrong: forms(marked('enter')),
  path_unknown: forms(
    marked('path', 'origin'),
    ...eachWith([marked('path', 'takes'), marked('path', 'served')], marked('method')),
  ),
  upstream_rate_limited: forms({ why: 'too_large' }),
  upstream_unavailable: forms(
    ...(
      [
        'credential',
        'model_missing',
        'path_missing',
        'not_found',
        'forbidden',
        'redirect',
        'no_credential',
        'no_credit',
        'unreachable',
        'failed',
        'broken_off',
        'no_target',
        'until_midnight',
      ] as const
    ).map((why) => ({ why })),
    { why: 'endpoint', ...marked('endpoint') },
  ),
}
