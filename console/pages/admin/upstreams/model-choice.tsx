import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useState } from 'react'
import type { GroupView } from '../../../../src/contract/groups.ts'
import { groupsQuery } from '../../../api/groups.ts'
import { shippedPricesQuery } from '../../../api/price-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { NumberInput, useNumberProblem } from '../../../forms/number-field.tsx'
import { amountOf, isEmptyOr } from '../../../forms/typed-numbers.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Input } from '../../../ui/input.tsx'
import { type ListPrice, proposedPrice } from './proposed-price.ts'

/** The prices of a chosen model in USD per million tokens; empty: none. */
export interface Chosen {
  readonly input: string
  readonly output: string
  /** The list price that was proposed; null: there is none. */
  readonly listed: ListPrice | null
}

const SHOWN_AT_ONCE = 50

/** The models of an upstream, those ticked with their prices, for which list prices are proposed. */
export function ModelChoice(props: {
  readonly title: string
  readonly baseUrl: string
  readonly models: readonly string[]
  readonly chosen: ReadonlyMap<string, Chosen>
  onChosen(chosen: ReadonlyMap<string, Chosen>): void
  readonly error: string | undefined
}): ReactNode {
  const t = useTexts('upstreams').adding
  const errorId = useId()
  const { models, chosen, onChosen, error } = props
  const [words, setWords] = useState('')
  const format = useFormat()
  const { data: shipped } = useQuery(shippedPricesQuery)
  const fitting = models.filter((name) => name.toLowerCase().includes(words.trim().toLowerCase()))
  const shown = fitting.slice(0, SHOWN_AT_ONCE)
  const first = (name: string): Chosen => {
    const listed = shipped === undefined ? null : proposedPrice(shipped, name, props.baseUrl)
    return { input: listed?.price.input ?? '', output: listed?.price.output ?? '', listed }
  }
  useEffect(() => {
    if (shipped === undefined) return
    const waiting = [...chosen].filter(([, { input, output, listed }]) => input + output === '' && listed === null)
    if (waiting.length > 0) onChosen(new Map([...chosen, ...waiting.map(([name]) => [name, first(name)] as const)]))
    // For those that were ticked before the list prices came.
  }, [shipped])
  const change = (name: string, next: Chosen | null): void => {
    const changed = new Map(chosen)
    if (next === null) changed.delete(name)
    else changed.set(name, next)
    onChosen(changed)
  }
  return (
    <fieldset aria-describedby={error === undefined ? undefined : errorId} className="min-w-0">
      <legend className="font-medium">{props.title}</legend>
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
                onChecked={(isChecked) => change(name, isChecked ? first(name) : null)}
              >
                <span className="[overflow-wrap:anywhere]">{name}</span>
              </Checkbox>
              {price !== undefined && (
                <div className="mb-2 grid grid-cols-2 gap-2 pl-6.5">
                  {(['input', 'output'] as const).map((kind) => (
                    <NumberInput
                      of="amount"
                      key={kind}
                      aria-label={t[kind === 'input' ? 'inputOf' : 'outputOf'](name)}
                      placeholder={t[kind]}
                      value={price[kind]}
                      onChange={(event) => change(name, { ...price, [kind]: event.currentTarget.value })}
                    />
                  ))}
                  {price.listed !== null && isListed(price) && (
                    <p className="col-span-2 text-sm text-ink-3">
                      {t.listPrice(price.listed.provider, format.date(`${price.listed.dated}T00:00:00Z`))}
                    </p>
                  )}
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

/** The price of a model that is added: all of the list price where its amounts were left as they are; null: it has none. */
export function chosenPrice(chosen: Chosen): ListPrice['price'] | { input: string; output: string } | null {
  const [input, output] = [amountOf(chosen.input), amountOf(chosen.output)]
  if (input === null || output === null) return null
  return chosen.listed !== null && isListed(chosen) ? chosen.listed.price : { input, output }
}

function isListed({ input, output, listed }: Chosen): boolean {
  return listed !== null && input === listed.price.input && output === listed.price.output
}

/** Returns what is wrong with the entered prices of models, in words; undefined where nothing is. */
export function usePriceProblem() {
  const t = useTexts('upstreams').adding
  const problem = useNumberProblem()
  return (chosen: Iterable<Chosen>): string | undefined => {
    for (const { input, output } of chosen) {
      if ((input.trim() === '') !== (output.trim() === '')) return t.pricePair
      const wrong = [input, output].find((value) => !isEmptyOr(amountOf, value))
      if (wrong !== undefined) return problem(t.priceForm, { of: 'amount', value: wrong })
    }
    return undefined
  }
}

/** The groups that models are put into as they are added; those with all models have them anyway, and the file alone changes its own. */
export function GroupChoice(props: {
  readonly chosen: readonly GroupView[]
  onChosen(groups: readonly GroupView[]): void
}): ReactNode {
  const t = useTexts('upstreams').adding
  const groups = useQuery(groupsQuery).data?.data ?? []
  const { chosen, onChosen } = props
  return (
    <fieldset>
      <legend className="font-medium">{t.groups}</legend>
      <p className="text-sm text-ink-3">{t.groupsHint}</p>
      {groups.map((group) => {
        const hasAll = group.models.includes('*')
        const others = chosen.filter(({ id }) => id !== group.id)
        return (
          <Checkbox
            key={group.id}
            checked={hasAll || others.length < chosen.length}
            disabled={hasAll || group.managed}
            hint={hasAll ? t.allModels : group.managed ? t.managedGroup : undefined}
            onChecked={(isChecked) => onChosen(isChecked ? [...others, group] : others)}
          >
            {group.name}
          </Checkbox>
        )
      })}
    </fieldset>
  )
}
