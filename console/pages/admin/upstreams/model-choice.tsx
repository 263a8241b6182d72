import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useEffect, useId, useState } from 'react'
import type { UpstreamModelsView } from '../../../../src/contract/upstream-models.ts'
import { shippedPricesQuery } from '../../../api/price-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useNumberProblem } from '../../../forms/number-field.tsx'
import { amountOf, isEmptyOr } from '../../../forms/typed-numbers.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Input } from '../../../ui/input.tsx'
import type { Chosen } from './chosen-price.ts'
import { ModelRow } from './model-row.tsx'
import { NameModel } from './name-model.tsx'
import { type ListPrice, proposedPrice } from './proposed-price.ts'
import { type VendorId, vendorOf } from './vendors.ts'

/** A model that an upstream lists, with what its name says that it does. */
export type OfferedModel = Pick<UpstreamModelsView['data'][number], 'model' | 'kind'>

const SHOWN_AT_ONCE = 100

/** The models of an upstream as a table: chat models first, other kinds folded away, list prices filled in for those ticked. */
export function ModelChoice(props: {
  readonly title: string
  readonly baseUrl: string
  /** What it was set up as; left out: the host tells. */
  readonly vendor?: VendorId | ''
  readonly models: readonly OfferedModel[]
  /** Takes models by name that are not listed; left out: those of the list alone are chosen. */
  readonly onNamed?: (models: readonly string[]) => void
  readonly chosen: ReadonlyMap<string, Chosen>
  onChosen(chosen: ReadonlyMap<string, Chosen>): void
  readonly error: string | undefined
}): ReactNode {
  const texts = useTexts('upstreams')
  const t = texts.adding
  const errorId = useId()
  const { models, chosen, onChosen, onNamed, error } = props
  const [words, setWords] = useState('')
  const [most, setMost] = useState(SHOWN_AT_ONCE)
  const priceOf = useListPrices(props)
  const fitting = models.filter(({ model }) => model.toLowerCase().includes(words.trim().toLowerCase()))
  const listed = fitting.filter(({ model }) => priceOf(model) !== null)
  const ticked = fitting.filter(({ model }) => chosen.has(model))
  const choose = (added: readonly OfferedModel[]): void =>
    onChosen(new Map([...chosen, ...added.map(({ model }) => [model, chosen.get(model) ?? first(model)] as const)]))
  const leave = (removed: readonly OfferedModel[]): void =>
    onChosen(new Map([...chosen].filter(([name]) => removed.every(({ model }) => model !== name))))
  return (
    <fieldset aria-describedby={error === undefined ? undefined : errorId} className="min-w-0">
      <legend className="text-base font-medium">{props.title}</legend>
      <p className="mb-3 text-sm text-ink-3">{t.modelsHint}</p>
      <div className="flex flex-wrap gap-2">
        {models.length > 10 && (
          <div className="min-w-40 flex-1">
            <Input
              aria-label={t.filter}
              placeholder={t.filter}
              value={words}
              maxLength={100}
              onChange={(event) => setWords(event.currentTarget.value)}
            />
          </div>
        )}
        {listed.length > 1 && <Button onClick={() => choose(listed)}>{t.selectListed(listed.length)}</Button>}
      </div>
      {models.length > 0 && (
        <table className="mt-2 w-full text-sm">
          <thead>
            <tr className="border-b border-line text-left text-xs text-ink-3">
              <th scope="col" className="font-medium">
                <Checkbox
                  aria-label={t.selectAll(fitting.length)}
                  checked={fitting.length > 0 && ticked.length === fitting.length}
                  isPartly={ticked.length > 0}
                  onChecked={(isChecked) => (isChecked ? choose(fitting) : leave(fitting))}
                >
                  <span className="leading-5.5">
                    {ticked.length === 0 ? texts.testing.model : t.selected(ticked.length)}
                  </span>
                </Checkbox>
              </th>
              <th scope="col" className="w-20 pl-2 text-right font-medium">
                {t.input}
              </th>
              <th scope="col" className="w-20 pl-2 text-right font-medium">
                {t.output}
              </th>
              <th scope="col" className="w-32 pl-3 font-medium max-sm:hidden">
                {t.source}
              </th>
            </tr>
          </thead>
          <KindRows
            models={fitting}
            most={most}
            isOpen={words.trim() !== ''}
            row={({ model }) => (
              <ModelRow
                key={model}
                name={model}
                chosen={chosen.get(model) ?? null}
                listed={priceOf(model)}
                onTicked={(isTicked) => (isTicked ? choose : leave)([{ model, kind: 'chat' }])}
                onPriced={(priced) => onChosen(new Map([...chosen, [model, priced]]))}
              />
            )}
          />
        </table>
      )}
      {fitting.length > most && (
        <p className="mt-2 flex flex-wrap items-center justify-between gap-2 text-sm text-ink-3">
          {t.shown(most, fitting.length)}
          <Button look="quiet" onClick={() => setMost(fitting.length)}>
            {t.showAll}
          </Button>
        </p>
      )}
      {onNamed !== undefined && (
        <div className="mt-3">
          <NameModel
            isDeployment={props.vendor === 'azure'}
            onNames={(names) => {
              onNamed(names.filter((name) => models.every(({ model }) => model !== name)))
              choose(names.map((model) => ({ model, kind: 'chat' })))
            }}
          />
        </div>
      )}
      {error !== undefined && (
        <p id={errorId} role="alert" className="mt-2 text-sm text-bad">
          {error}
        </p>
      )}
    </fieldset>
  )

  function first(name: string): Chosen {
    const price = priceOf(name)
    return { input: price?.price.input ?? '', output: price?.price.output ?? '', listed: price }
  }
}

type Choice = Pick<Parameters<typeof ModelChoice>[0], 'baseUrl' | 'vendor' | 'chosen' | 'onChosen'>

/** Returns the list price of a model. Fills in those of models that were ticked before the prices came. */
function useListPrices({ baseUrl, vendor = '', chosen, onChosen }: Choice): (name: string) => ListPrice | null {
  const { data: shipped } = useQuery(shippedPricesQuery)
  const providers = vendor === '' ? [] : vendorOf(vendor).prices
  const priceOf = (name: string) =>
    shipped === undefined ? null : proposedPrice(shipped, name, { baseUrl, providers })
  useEffect(() => {
    if (shipped === undefined) return
    const found = [...chosen].flatMap(([name, { input, output, listed }]) => {
      const price = input + output === '' && listed === null ? priceOf(name) : null
      return price === null ? [] : [[name, { ...price.price, listed: price }] as const]
    })
    if (found.length > 0) onChosen(new Map([...chosen, ...found]))
  }, [shipped])
  return priceOf
}

/** Rows by kind. Where there are chat models, the other kinds are folded away until they are opened or searched for. */
function KindRows(props: {
  readonly models: readonly OfferedModel[]
  readonly most: number
  readonly isOpen: boolean
  row(model: OfferedModel): ReactNode
}): ReactNode {
  const kinds = useTexts('models').modelKinds
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const byKind = Map.groupBy(props.models, ({ kind }) => kind)
  const others = [...byKind.keys()].filter((kind) => kind !== 'chat')
  const names = byKind.has('chat') ? (['chat', ...others] as const) : others
  let left = props.most
  return names.map((kind) => {
    const models = byKind.get(kind) ?? []
    const isShown = kind === 'chat' || props.isOpen || names[0] !== 'chat' || opened.has(kind)
    const shown = isShown ? models.slice(0, left) : []
    left -= shown.length
    return (
      <tbody key={kind}>
        {names.length > 1 && (
          <tr className="border-b border-line/60">
            <th colSpan={4} scope="rowgroup" className="text-left text-xs font-medium text-ink-2">
              {kind === 'chat' || names[0] !== 'chat' ? (
                <span className="flex min-h-8 items-center">{titleOf(kind, models.length)}</span>
              ) : (
                <button
                  type="button"
                  aria-expanded={isShown}
                  className="flex min-h-9 w-full items-center gap-2 touch:min-h-11"
                  onClick={() => setOpened(isShown ? opened.difference(new Set([kind])) : new Set([...opened, kind]))}
                >
                  <Icon name={isShown ? 'down' : 'right'} className="text-ink-3" />
                  {titleOf(kind, models.length)}
                </button>
              )}
            </th>
          </tr>
        )}
        {shown.map((each) => (
          <Fragment key={each.model}>{props.row(each)}</Fragment>
        ))}
      </tbody>
    )
  })

  function titleOf(kind: OfferedModel['kind'], count: number): string {
    return `${kinds[kind]} · ${count}`
  }
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
