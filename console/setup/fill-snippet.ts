import type { SetupEscape, SetupTextStep } from '../../src/contract/setup.ts'
import { fillPlaceholders, type SetupValues } from './placeholders.ts'

/** The text of a step as the person copies it, each value written so that it stays one value in the step's language. */
export function fillSnippet(step: Pick<SetupTextStep, 'text' | 'escapes'>, values: SetupValues): string {
  return fillPlaceholders(step.text, values, (value) =>
    step.escapes.reduce((written, escape) => ESCAPES[escape](written), value),
  )
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
