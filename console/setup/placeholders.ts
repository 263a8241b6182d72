import type { ModelPlaceholder } from '../../src/contract/setup.ts'

/** What a setup is filled in with. A placeholder without a value stays as it stands. */
export interface SetupValues {
  /** The secret, or what is shown in its place until the person enters it. */
  readonly key: string
  /** What clients call this gateway: the answer's `provider_name`. */
  readonly name: string
  /** The answer's `mark`; absent where texts without it are used. */
  readonly mark?: string
  readonly models: Partial<Record<ModelPlaceholder, string>>
}

/**
 * Replaces the placeholders of `text`, in one pass: a value that looks like a placeholder is not filled in again. `write`
 * is how a value stands in that text, such as percent-encoded; as it is unless given.
 */
export function fillPlaceholders(
  text: string,
  values: SetupValues,
  write: (value: string) => string = (value) => value,
): string {
  return text.replace(/\{(key|name|mark|model|haiku_model|sonnet_model|opus_model)\}/g, (placeholder, name: string) => {
    const value = valueOf(name, values)
    return value === undefined ? placeholder : write(value)
  })
}

function valueOf(name: string, values: SetupValues): string | undefined {
  if (name === 'key') return values.key
  if (name === 'name') return values.name
  if (name === 'mark') return values.mark
  return values.models[name as ModelPlaceholder]
}
