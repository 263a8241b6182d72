/** What the programs of the bench share: how their flags are read, and the folder that they work in. */
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parsed, UsageError } from '../tools/sub-commands.ts'

/** A number is a whole one from 1, a boolean is a flag without a value, null is a text that may be left out. */
type Defaults = Readonly<Record<string, number | boolean | string | null>>

export type Flags<Of extends Defaults> = {
  readonly [Name in keyof Of]: Of[Name] extends number
    ? number
    : Of[Name] extends boolean
      ? boolean
      : Of[Name] extends string
        ? string
        : string | null
}

/** Reads the flags that have a default here. Throws a UsageError for any other, and for a number that is none. */
export function readFlags<const Of extends Defaults>(argv: readonly string[], defaults: Of): Flags<Of> {
  const options = Object.entries(defaults).map(
    ([name, value]) => [name, { type: typeof value === 'boolean' ? 'boolean' : 'string' }] as const,
  )
  const given = parsed({ args: [...argv], options: Object.fromEntries(options) }).values
  const read = Object.entries(defaults).map(([name, value]) => {
    const text = given[name]
    if (text === undefined) return [name, value]
    return [name, typeof value === 'number' ? wholeNumber(name, String(text)) : text]
  })
  return Object.fromEntries(read) as Flags<Of>
}

export function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new UsageError(`--${name} takes a whole number from 1, not "${text}"`)
  return Number(text)
}

/** Takes one option with a value out of the arguments. `value` is null when it is not among them. */
export function takeOption(argv: readonly string[], name: string): { value: string | null; rest: readonly string[] } {
  const { tokens } = parseArgs({
    args: [...argv],
    options: { [name]: { type: 'string' } },
    strict: false,
    tokens: true,
  })
  const token = tokens.findLast((each) => each.kind === 'option' && each.name === name)
  if (token?.kind !== 'option' || token.value === undefined) return { value: null, rest: argv }
  return { value: token.value, rest: argv.toSpliced(token.index, token.inlineValue ? 1 : 2) }
}

/** Makes a folder for `use` and removes it afterwards, also when the process is interrupted. */
export async function inFolder<Result>(name: string, use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), `tollgate-${name}-`))
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  process.once('exit', remove)
  try {
    return await use(folder)
  } finally {
    process.off('exit', remove)
    remove()
  }
}
