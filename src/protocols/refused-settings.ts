import { DROPPABLE_SETTINGS, type DroppableSetting } from '../core/request-settings-names.ts'
import { parseOrUndefined } from './json/json-object.ts'

/** What an upstream's error says of settings that a request only wishes for: it names them, and nothing else. */
export interface RefusedSettings {
  readonly settings: readonly DroppableSetting[]
  readonly refuses: RefusedPart
  /** The part of the error that says so, which quotes nothing that was asked. */
  readonly words: string
}

/** `setting`: no value of it is taken. `value`: the one that was sent is not. `combination`: it is not beside what else was asked. */
export type RefusedPart = 'setting' | 'value' | 'combination'

/**
 * The settings that an error answer refuses by name: by the field that it says is at fault, or by the exact name of a field
 * in one of the known forms of a message. Null where it names another field as well, or none of these. Never throws.
 */
export function refusedSettings(body: Buffer): RefusedSettings | null {
  const { texts, entries, param } = saidInError(body)
  const found = [
    ...entries.map(({ field, message }): SettingsRefusal => refusalOf(field, `${field}: ${message}`)),
    ...texts.slice(0, TEXTS_LIMIT).flatMap(refusalsIn),
  ]
  if (param !== null && NEVER.has(topOf(nameOf(param))) && settingsNamed(param).length === 0) return null
  const all = found.length === 0 && param !== null ? [refusalByParam(param, texts[0] ?? '')] : found
  const [first] = all
  if (first === undefined || all.some(({ settings }) => settings.length === 0)) return null
  const { words, refuses } = all.find((each) => each.refuses !== 'setting') ?? first
  return { settings: [...new Set(all.flatMap(({ settings }) => settings))], refuses, words }
}

/** What a request asks, its form and its limits: an error that is about one of these is about no setting. */
const NEVER: ReadonlySet<string> = new Set([
  'messages',
  'input',
  'contents',
  'system',
  'system_instruction',
  'instructions',
  'prompt',
  'tools',
  'tool_choice',
  'tool_config',
  'functions',
  'response_format',
  'text',
  'model',
  'n',
  'stop',
  'stop_sequences',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
])

interface SettingsRefusal extends RefusedSettings {
  /** Empty: what it names is something else. */
  readonly settings: readonly DroppableSetting[]
}

function refusalOf(name: string, words: string): SettingsRefusal {
  return { settings: settingsNamed(name), refuses: partRefused(words), words: words.slice(0, LONGEST_WORDS) }
}

/** The vendor says which field is at fault. Its message may be any, and so quote the value: it is not kept. */
function refusalByParam(param: string, message: string): SettingsRefusal {
  const [sentence = ''] = message.split(/\.\s/, 1)
  return { settings: settingsNamed(param), refuses: partRefused(sentence), words: `${param} was refused` }
}

const LONGEST_WORDS = 200
const TEXTS_LIMIT = 8
/** Names that are looked at in one text: an error has few, and may quote what a client wrote. */
const NAMES_LIMIT = 24
/** So much before and behind a name may belong to the form that it stands in. */
const FORM_CHARACTERS = 160

/** Anything that may be the name of a field, with its quotes. */
const NAMES = /(?<quote>[`'"])?(?<![\w.])(?<name>(?:[#$]\/)?[A-Za-z_][\w.[\]]{1,63})(?<!\.)\k<quote>?/g

/** A known form around each name of a setting in the text, in which a sign stands for the name. */
function refusalsIn(text: string): readonly SettingsRefusal[] {
  const known = text.matchAll(NAMES).filter(({ groups }) => settingsNamed(groups?.['name'] ?? '').length > 0)
  return [...known.take(NAMES_LIMIT)].flatMap((match) => {
    const { name = '', quote } = match.groups ?? {}
    const before = text.slice(Math.max(0, match.index - FORM_CHARACTERS), match.index)
    const after = text.slice(match.index + match[0].length).slice(0, FORM_CHARACTERS)
    const around = `${before.replace(OTHERS_BEFORE, '')}${NAME}${after.replace(OTHERS_AFTER, '')}`
    const isWord = quote === undefined && ENGLISH.has(nameOf(name))
    const form = OF_FIELDS.exec(around) ?? (isWord ? null : OF_NAMES.exec(around))
    if (form === null) return []
    const words = sentences(form[0].split(NAME, 1)[0] + text.slice(match.index))
    const refusal = refusalOf(name, words)
    return form.groups?.['unknown'] === undefined ? [refusal] : [{ ...refusal, refuses: 'setting' as const }]
  })
}

/** Stands for the name in question. */
const NAME = '\u0001'
const FIELD = String.raw`(?:(?:request|body|keyword|following|input) )*(?:parameter|param|argument|field|property|option|setting|key|input)s?(?:\(s\))?`
const ARE = '(?:is|are|was|were)'
const UNTAKEN = `(?:currently )?(?:deprecated|not supported|unsupported|not allowed|not permitted|not accepted|not available|not enabled|not recognized|not a (?:valid|supported|known|recognized) ${FIELD}|unexpected|unknown|unrecognized)`
const NOT_TAKE = String.raw`(?:do|does)(?: not|n['’]t) (?:currently )?(?:support|accept|allow)`

/** Forms that say that a field is meant. `unknown`: no value of it would be taken. */
const OF_FIELDS = anyOf([
  String.raw`unsupported (?:${FIELD}|value)\s?[:=]?\s?${NAME}`,
  String.raw`(?<unknown>(?:unknown|unrecogni[sz]ed|unexpected|extra) ${FIELD}(?: supplied| found)?\s?[:=]?\s?${NAME})`,
  String.raw`${NOT_TAKE}(?: the)? ${FIELD}:?\s?${NAME}`,
  String.raw`${NOT_TAKE} the ${NAME} ${FIELD}`,
  String.raw`${FIELD} (?:${ARE} )?not supported(?: (?:on|by|with|for) this model)?:\s?${NAME}`,
  String.raw`not permitted,? ${FIELD}:\s?${NAME}`,
  String.raw`additional properties are not allowed \(${NAME} ${ARE} unexpected`,
  String.raw`${NAME}:\s?extra inputs are not permitted`,
  String.raw`${NAME}[)\]],? [\`'"]msg[\`'"]: [\`'"]extra inputs are not permitted`,
  String.raw`${NAME}(?: at [\`'"][^\`'"\n]{0,80}[\`'"])?:?\s?cannot find field`,
  String.raw`${FIELD} ${NAME} ${ARE} ${UNTAKEN}`,
  String.raw`${NAME} ${FIELD} ${ARE} ${UNTAKEN}`,
  String.raw`invalid ${NAME}: only`,
  String.raw`${NAME} ${ARE} not enabled for`,
  String.raw`adaptive ${NAME} ${ARE} not supported`,
])

/** Forms that would fit any word. */
const OF_NAMES = anyOf([
  String.raw`${NAME} ${ARE} ${UNTAKEN}`,
  String.raw`${NAME} (?:${FIELD} )?is only (?:supported|allowed|available) (?:when|with|if)`,
  String.raw`${NAME} (?:must be (?:one of|unset)|may only be set to)`,
  String.raw`${NAME} [\`'"]?[\w.-]{1,24}[\`'"]? was provided, but`,
])

function anyOf(forms: readonly string[]): RegExp {
  return new RegExp(forms.join('|'), 'i')
}

/** Further names of a list, before and behind one of them. */
const OTHERS_BEFORE = /(?:[[{(]?[`'"]?[\w.]{1,64}[`'"]?(?::\s?[\w.-]{1,24})?,\s?(?:and )?){0,16}[[{(]?$/
const OTHERS_AFTER = /^(?:(?:, ?(?:and |or )?| and | or )[`'"][\w.]{1,64}[`'"]){1,16}/

/** Names that are words as well: without quotes they count only where a form says that a field is meant. */
const ENGLISH: ReadonlySet<string> = new Set([
  'user',
  'store',
  'include',
  'metadata',
  'reasoning',
  'thinking',
  'effort',
  'penalty',
])

/** The first two sentences of a line. "Unsupported value: … with this model. Only the default (1) value is supported." */
function sentences(text: string): string {
  const [line = ''] = text.slice(0, LONGEST_WORDS).split('\n', 1)
  const ends = [...line.matchAll(/\.(?:\s|$)/g)].map(({ index }) => index + 1)
  return line.slice(0, ends[1] ?? ends[0] ?? line.length).trim()
}

/** The setting is refused beside something else that was asked for. */
const COMBINATION = /\b(?:when|if|unless|together|combin\w+|cannot both|only with)\b/i
/** Other values are taken. */
const OTHER_VALUES =
  /(?:supported|allowed|valid|possible|accepted) (?:values|options) (?:are|is)|must be|should be|expected (?:one of|an? )|out of range|(?:above|below|exceeds?) (?:the )?(?:maximum|minimum)|invalid (?:value|type)|<=|>=|too (?:long|short|large|small|many|high|low)/i
/** Words that only a setting's own value is taken, so that the setting is none. */
const ONLY_ITS_OWN = /only (?:the )?default|only [\d.]+ is (?:allowed|supported)/i

function partRefused(words: string): RefusedPart {
  if (ONLY_ITS_OWN.test(words)) return 'setting'
  if (COMBINATION.test(words)) return 'combination'
  return OTHER_VALUES.test(words) ? 'value' : 'setting'
}

/** Settings by the names that messages use: in small letters with underscores, without what every field stands in. */
const SETTINGS_BY_NAME = settingsByName()

function settingsByName(): ReadonlyMap<string, readonly DroppableSetting[]> {
  const known = new Map<string, readonly DroppableSetting[]>([
    ['penalty', ['presence_penalty', 'frequency_penalty']],
    ['effort', ['reasoning_effort']],
    // Its other field, the format of the answer, is never left out.
    ['output_config', ['reasoning_effort']],
  ])
  for (const [setting, paths] of Object.entries(DROPPABLE_SETTINGS) as [DroppableSetting, readonly string[]][]) {
    // The narrower of two settings with one field stands first in the table.
    for (const name of paths.map(nameOf)) if (!known.has(name)) known.set(name, [setting])
  }
  return known
}

/** Fields of which a part is refused with the whole. */
const WHOLES: ReadonlySet<string> = new Set(['stream_options', 'include', 'metadata', 'logit_bias', 'thinking'])

function settingsNamed(name: string): readonly DroppableSetting[] {
  const field = nameOf(name)
  const whole = topOf(field)
  return SETTINGS_BY_NAME.get(field) ?? (WHOLES.has(whole) ? SETTINGS_BY_NAME.get(whole) : undefined) ?? []
}

function topOf(field: string): string {
  return field.split(/[.[]/, 1)[0] ?? ''
}

function nameOf(text: string): string {
  return text
    .replace(/^[#$][/.]/, '')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/^(?:body|request)\./, '')
    .replace(/^generation_config\./, '')
}

/** What an error answer says, wherever in it. */
interface SaidInError {
  readonly texts: readonly string[]
  /** Entries of a list of what is wrong with a request, as pydantic writes it: `{"loc": ["body", "seed"], "msg": …}`. */
  readonly entries: readonly { readonly field: string; readonly message: string }[]
  /** The field that is at fault; null: it says none. */
  readonly param: string | null
}

/** The fields in which errors say something. No other is looked at, since it may quote what was asked. */
const SPEAKING = ['error', 'message', 'detail', 'errors', 'raw', 'metadata', 'cause', 'upstream_error'] as const

const DEPTH_LIMIT = 8
const PARTS_LIMIT = 200
const TEXT_CHARACTERS = 4_000
const JSON_CHARACTERS = 16_000

/** Reads an error in any of the forms of `readErrorAnswer`, and those that aggregators wrap in one of their own. Never throws. */
function saidInError(body: Buffer): SaidInError {
  const said = new Said()
  said.add(body.toString(), 0)
  return said
}

class Said implements SaidInError {
  readonly texts: string[] = []
  readonly entries: { field: string; message: string }[] = []
  param: string | null = null
  #parts = 0

  add(value: unknown, depth: number): void {
    if (depth > DEPTH_LIMIT || ++this.#parts > PARTS_LIMIT) return
    if (typeof value === 'string') this.#addText(value, depth)
    else if (Array.isArray(value)) for (const each of value) this.add(each, depth + 1)
    else if (typeof value === 'object' && value !== null)
      this.#addObject(value as Readonly<Record<string, unknown>>, depth)
  }

  /** Aggregators quote an upstream's whole error as a text. */
  #addText(text: string, depth: number): void {
    const json = /^\s{0,16}[[{]/.test(text)
      ? parseOrUndefined(depth === 0 ? text : text.slice(0, JSON_CHARACTERS))
      : undefined
    if (json === undefined) this.texts.push(text.slice(0, TEXT_CHARACTERS))
    else this.add(json, depth + 1)
  }

  #addObject(fields: Readonly<Record<string, unknown>>, depth: number): void {
    const { loc, msg, param } = fields
    if (Array.isArray(loc) && typeof msg === 'string') {
      const field = loc.filter((each) => typeof each === 'string').join('.')
      this.entries.push({ field, message: msg.slice(0, TEXT_CHARACTERS) })
      return
    }
    if (typeof param === 'string' && param !== '') this.param ??= param
    for (const name of SPEAKING) if (fields[name] !== undefined) this.add(fields[name], depth + 1)
  }
}
