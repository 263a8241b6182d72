import { useId, useState, type ReactNode } from 'react'
import { upstreamsDictionary } from '../../../dictionaries/upstreams.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Input } from '../../../ui/input.tsx'

/** Its prices in USD per million tokens; empty: none. */
export interface Chosen {
  readonly input: string
  readonly output: string
}

const SHOWN_AT_ONCE = 50

/** The models of an upstream, those ticked with their prices. */
export function ModelChoice(props: {
  readonly models: readonly string[]
  readonly chosen: ReadonlyMap<string, Chosen>
  onChosen(chosen: ReadonlyMap<string, Chosen>): void
  readonly error: string | undefined
}): ReactNode {
  const t = upstreamsDictionary.useTexts().adding
  const errorId = useId()
  const { models, chosen, onChosen, error } = props
  const [words, setWords] = useState('')
  const fitting = models.filter((name) => name.toLowerCase().includes(words.trim().toLowerCase()))
  const shown = fitting.slice(0, SHOWN_AT_ONCE)
  const change = (name: string, next: Chosen | null): void => {
    const changed = new Map(chosen)
    if (next === null) changed.delete(name)
    else changed.set(name, next)
    onChosen(changed)
  }
  return (
    <fieldset aria-describedby={error === undefined ? undefined : errorId} className="min-w-0">
      <legend className="font-medium">{t.models(models.length)}</legend>
      <p className="mb-2 text-sm text-ink-3">{t.modelsHint}</p>
      {models.length > 10 && (
        <Input
          aria-label={t.filter}
          placeholder={t.filter}
          value={words}
          maxLength={100}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
      )}
      <ul className="mt-1 max-h-80 overflow-y-auto">
        {shown.map((name) => {
          const price = chosen.get(name)
          return (
            <li key={name}>
              <Checkbox
                checked={price !== undefined}
                onChecked={(isChecked) => change(name, isChecked ? { input: '', output: '' } : null)}
              >
                <span className="[overflow-wrap:anywhere]">{name}</span>
              </Checkbox>
              {price !== undefined && (
                <div className="mb-2 grid grid-cols-2 gap-2 pl-6.5">
                  {(['input', 'output'] as const).map((kind) => (
                    <Input
                      key={kind}
                      inputMode="decimal"
                      aria-label={t[kind === 'input' ? 'inputOf' : 'outputOf'](name)}
                      placeholder={t[kind]}
                      value={price[kind]}
                      onChange={(event) => change(name, { ...price, [kind]: event.currentTarget.value.trim() })}
                    />
                  ))}
                </div>
              )}
            </li>
          )
        })}
      </ul>
      {fitting.length > shown.length && <p className="text-sm text-ink-3">{t.shown(shown.length, fitting.length)}</p>}
      {error !== undefined && (
        <p id={errorId} role="alert" className="text-sm text-bad">
          {error}
        </p>
      )}
    </fieldset>
  )
}
