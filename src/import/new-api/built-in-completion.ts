import { type Rational, rational } from '../rational.ts'

/** The ratio of output to input that a source has built in for names of a kind. `isFixed`: it wins over its database. */
interface BuiltInCompletion {
  readonly ratio: Rational
  readonly isFixed: boolean
}

/** The first whose names fit counts. */
type Rule = readonly [names: RegExp, ratio: readonly [over: bigint, under?: bigint], fixed?: 'fixed']

/** one-api is frozen: its last commit (8df4a267), `relay/billing/ratio/model.go`. None wins over its database. */
const ONE_API: readonly Rule[] = [
  [/^whisper-1$/, [0n]],
  [/^deepseek-reasoner$/, [219n, 55n]],
  [/^gpt-3\.5-turbo$|^gpt-3\.5.*0125$/, [3n]],
  [/^gpt-3\.5.*1106$/, [2n]],
  [/^gpt-3\.5/, [4n, 3n]],
  [/^gpt-4o-2024-05-13$/, [3n]],
  [/^gpt-4o/, [4n]],
  [/^gpt-4-turbo|^gpt-4.*preview$/, [3n]],
  [/^gpt-4/, [2n]],
  [/^o1/, [4n]],
  [/^chatgpt-4o-latest$/, [3n]],
  [/^claude-3/, [5n]],
  [/^(?:claude|mistral|gemini)-/, [3n]],
  [/^deepseek-/, [2n]],
  [/^llama2-70b-4096$/, [5n, 4n]],
  [/^llama3-8b-8192$/, [2n]],
  [/^llama3-70b-8192$/, [79n, 59n]],
  [/^command(?:-light|-nightly|-light-nightly)?$/, [2n]],
  [/^command-r$/, [3n]],
  [/^command-r-plus$/, [5n]],
  [/^grok-beta$/, [3n]],
  [/^ibm-granite\/granite-(?:20b-code-instruct-8k|3\.0-8b-instruct|8b-code-instruct-128k)$/, [5n]],
  [/^ibm-granite\/granite-3\.0-2b-instruct$/, [25n, 3n]],
  [/^meta\/(?:llama-2-(?:7|13)b(?:-chat)?|meta-llama-3-8b(?:-instruct)?)$/, [5n]],
  [/^meta\/(?:llama-2-70b(?:-chat)?|meta-llama-3-70b(?:-instruct)?)$/, [55n, 13n]],
  [/^mistralai\/(?:mistral-7b-instruct-v0\.2|mistral-7b-v0\.1)$/, [5n]],
  [/^mistralai\/mixtral-8x7b-instruct-v0\.1$/, [10n, 3n]],
]

/** new-api as of 2026-07, `setting/ratio_setting/model_ratio.go`; other releases have other numbers. */
const NEW_API: readonly Rule[] = [
  [/-all$|-gizmo-\*$/, [2n]],
  [/^gpt-4o-2024-05-13$/, [3n], 'fixed'],
  [/^gpt-4o-mini-tts/, [20n]],
  [/^gpt-4o/, [4n]],
  [/^gpt-5[^.]*$/, [8n], 'fixed'],
  [/^gpt-5\.4-nano/, [25n, 4n], 'fixed'],
  [/^gpt-5\.4/, [6n], 'fixed'],
  [/^gpt-5/, [6n]],
  [/^gpt-4\.5-preview/, [2n], 'fixed'],
  [/^gpt-4-turbo|^gpt-(?:.*gpt-)?4-110[56]$/, [3n], 'fixed'],
  [/^gpt-/, [2n]],
  [/^o[13]/, [4n], 'fixed'],
  [/^chatgpt-4o-latest$/, [3n], 'fixed'],
  [/claude-(?:3|(?:sonnet|opus|haiku)-4|(?:fable|sonnet|opus)-5)/, [5n], 'fixed'],
  [/^mistral-/, [3n], 'fixed'],
  [/^gemini-(?:1\.5|2\.0)/, [4n], 'fixed'],
  [/^gemini-2\.5-pro/, [8n]],
  [/^gemini-2\.5-flash-preview.*-nothinking$/, [4n]],
  [/^gemini-2\.5-flash-preview/, [70n, 3n]],
  [/^gemini-2\.5-flash-lite/, [4n]],
  [/^gemini-(?:2\.5-flash|robotics-er-1\.5)/, [25n, 3n]],
  [/^gemini-3-pro-image/, [60n]],
  [/^gemini-3-pro/, [6n]],
  [/^gemini-/, [4n]],
  [/^command-r$/, [3n], 'fixed'],
  [/^command-r-plus$/, [5n], 'fixed'],
  [/^command-r(?:-plus)?-08-2024$/, [4n], 'fixed'],
  [/^command/, [4n]],
  [/^ERNIE-(?:Speed-|Lite-|Character|Functions)/, [2n], 'fixed'],
  [/^llama2-70b-4096$/, [5n, 4n], 'fixed'],
  [/^llama3-8b-8192$/, [2n], 'fixed'],
  [/^llama3-70b-8192$/, [79n, 59n], 'fixed'],
]

const RULES = { 'new-api': NEW_API, 'one-api': ONE_API } as const

/** null: no rule is for such a name, so output costs what input does unless the database says otherwise. */
export function builtInCompletion(product: keyof typeof RULES, model: string): BuiltInCompletion | null {
  const rule = RULES[product].find(([names]) => names.test(model))
  if (rule === undefined) return null
  const [, [over, under], fixed] = rule
  return { ratio: rational(over, under), isFixed: fixed !== undefined }
}
