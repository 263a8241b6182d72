/** One environment variable: the settings, `tollgate help` and the reference in docs/operating.md are made from it. */
export interface Variable<Value = unknown, Unset = unknown> {
  readonly name: string
  readonly meaning: string
  /** What holds while it is unset, in words. */
  readonly ifUnset: string
  /** What it must be; ends the sentence that refuses a value. */
  readonly takes: string
  /** What the reference says beyond that, in Markdown. */
  readonly more?: string
  /** Whether the value is never shown. */
  readonly isSecret: boolean
  /** Reads its text, without white space around it. */
  readonly value: Reader<Value>
  /** The setting while it is unset; null: "not set". */
  readonly unset: Unset
}

/** Variables under the names of their settings. */
type VariableTable = Readonly<Record<string, Variable>>

/** What a table of variables sets. */
export type SettingsOf<Table extends VariableTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Variable<infer Value, infer Unset> ? Value | Unset : never
}

/** A variable as its table writes it. Absent: it is not secret, not set while it is unset, and `ifUnset` says the setting. */
type VariableRow<Value, Unset> = Omit<Variable<Value, Unset>, 'ifUnset' | 'isSecret' | 'unset'> &
  Partial<Pick<Variable<Value, Unset>, 'ifUnset' | 'isSecret' | 'unset'>>

export function variable<Value, const Unset extends Value | null = null>(
  row: VariableRow<Value, Unset>,
): Variable<Value, Unset> {
  const unset = (row.unset ?? null) as Unset
  return { ...row, unset, isSecret: row.isSecret ?? false, ifUnset: row.ifUnset ?? wordsOf(unset) }
}

function wordsOf(unset: unknown): string {
  if (typeof unset === 'boolean') return String(Number(unset))
  return typeof unset === 'string' || typeof unset === 'number' ? String(unset) : 'none'
}

/** What a variable must be, and how that is read. */
type VariableForm<Value> = Pick<Variable<Value>, 'takes' | 'value'>

/**
 * Reads the text of a variable step by step; undefined: it cannot be used. No schema of zod, which nothing else of a plain start
 * needs.
 */
export class Reader<Value> {
  /** Returns undefined for what cannot be used. */
  readonly read: (given: string) => Value | undefined

  constructor(read: (given: string) => Value | undefined) {
    this.read = read
  }

  /** Takes only values of which that is true. */
  where(isRight: (value: Value) => boolean): Reader<Value> {
    return this.#then((value) => (isRight(value) ? value : undefined))
  }

  as<Made>(make: (value: Value) => Made): Reader<Made> {
    return this.#then(make)
  }

  /** What this does not take, `other` may. */
  or<Other>(other: Reader<Other>): Reader<Value | Other> {
    return new Reader<Value | Other>((given) => {
      const value = this.read(given)
      return value === undefined ? other.read(given) : value
    })
  }

  #then<Made>(next: (value: Value) => Made | undefined): Reader<Made> {
    return new Reader((given) => {
      const value = this.read(given)
      return value === undefined ? undefined : next(value)
    })
  }
}

/** Any text, of at most as many characters. */
export function text(longest = Infinity): Reader<string> {
  return new Reader((given) => (given.length <= longest ? given : undefined))
}

export function textLike(pattern: RegExp): Reader<string> {
  return text().where((given) => pattern.test(given))
}

/** Words of which there are more than three are a list. */
export function oneOf<const Word extends string>(...words: readonly Word[]): VariableForm<Word> {
  const takes = words.length > 3 ? `one of ${words.join(', ')}` : eitherOf(words)
  return { takes, value: new Reader((given) => words.find((word) => word === given)) }
}

/** Written without `Intl`, whose first use takes 6 MB and 17 ms of each start (decision 0179). */
function eitherOf(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), words.at(-1)].filter((part) => part !== '').join(' or ')
}

/** `of`: what is counted, where its name does not say it. */
export function wholeNumber(least: number, most: number, of?: string): VariableForm<number> {
  const value = textLike(/^\d{1,15}$/)
    .as(Number)
    .where((number) => number >= least && number <= most)
  return { takes: `a whole number${of === undefined ? '' : ` of ${of}`} from ${least} to ${most}`, value }
}

export function onOrOff(): VariableForm<boolean> {
  const { value } = oneOf('1', '0', 'true', 'false')
  return { takes: '1 or 0', value: value.as((given) => given === '1' || given === 'true') }
}

/** A URL with one of these schemes, each with its colon, and a host. */
export function url(...schemes: readonly string[]): Reader<string> {
  return text().where((given) => {
    const parsed = URL.parse(given)
    return parsed !== null && schemes.includes(parsed.protocol) && parsed.hostname !== ''
  })
}

/** What `meaningOf` makes of it; it returns null for what cannot be used. */
export function readBy<Value>(meaningOf: (given: string) => Value | null): Reader<Value> {
  return new Reader((given) => meaningOf(given) ?? undefined)
}
