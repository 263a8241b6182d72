import type { SetupEscape, SetupTextStep } from '../../src/contract/setup.ts'
import { fillPlaceholders, type SetupValues } from './placeholders.ts'

/** The text of a step as the person copies it, each value written so that it stays one value in the step's language. */
export function fillSnippet(
  step: Pick<SetupTextStep, 'text' | 'escapes'> & Partial<Pick<SetupTextStep, 'language'>>,
  values: SetupValues,
): string {
  const text = fillPlaceholders(step.text, values, (value) =>
    step.escapes.reduce((written, escape) => ESCAPES[escape](written), value),
  )
  return step.language === 'json' ? withoutRepeats(text) : text
}

/** A file that lists the chosen model and the favourites lists a model twice where it is both. Each stays once, at its first place. */
function withoutRepeats(text: string): string {
  try {
    // Of equal names in an object the parser keeps the last, which has the model's limits.
    const parsed: unknown = JSON.parse(text, (name, value: unknown) =>
      name === 'models' && Array.isArray(value) ? onceEach(value) : value,
    )
    return JSON.stringify(parsed, null, 2)
  } catch {
    return text
  }
}

function onceEach(models: readonly unknown[]): readonly unknown[] {
  return [...new Map(models.map((model) => [idOf(model), model])).values()]
}

function idOf(model: unknown): unknown {
  return typeof model === 'object' && model !== null && 'id' in model ? model.id : model
}

const ESCAPES: Record<SetupEscape, (value: string) => string> = {
  // Between single quotes.
  posix: (value) => value.replaceAll("'", `'\\''`),
  // Between single quotes; PowerShell takes the typographic ones for the same.
  powershell: (value) => value.replace(/['‘’‚‛]/g, '$&$&'),
  // Between double quotes. cmd has no escape for these that holds in every place, so they are left out: better a name
  // that the gateway does not know than a second command.
  cmd: (value) => value.replace(/["%\r\n]/g, ''),
  // Between double quotes: also in TOML, in YAML and in Python, which read JSON's escapes alike.
  json: (value) => JSON.stringify(value).slice(1, -1),
  // Between single quotes.
  javascript: (value) => JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'"),
}
