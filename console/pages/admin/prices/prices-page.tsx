import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ModelView } from '../../../../src/contract/models.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { createModel } from '../../../api/catalogue-changes.ts'
import { modelsQuery } from '../../../api/models.ts'
import { modelSalesQuery } from '../../../api/price-admin.ts'
import { upstreamsQuery } from '../../../api/upstream-admin.ts'
import { useMay } from '../../../api/use-may.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { longestExactPlaces, longestPlaces } from '../../../format/money.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { NumberField } from '../../../forms/number-field.tsx'
import { SelectField } from '../../../forms/select-field.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { amountOf, isEmptyOr } from '../../../forms/typed-numbers.ts'
import { FilterSelect } from '../../../table/filter-select.tsx'
import { pageAt } from '../../../table/page-at.ts'
import { useFlatSearch } from '../../../table/use-flat-search.ts'
import { useTableState } from '../../../table/use-table-state.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { kindsOf } from '../../models/model-list.ts'
import { ListPage } from '../kit/list-page.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { usePriceColumns } from './price-columns.tsx'

const STATES = ['no_price', 'no_target', 'recommended', 'locked', 'managed'] as const
type State = (typeof STATES)[number]

const IS_IN: Readonly<Record<State, (model: ModelView) => boolean>> = {
  no_price: ({ price }) => price === null,
  no_target: ({ targets }) => (targets ?? []).length === 0,
  recommended: ({ recommended }) => recommended,
  locked: ({ price_locked: isLocked }) => isLocked,
  managed: ({ managed }) => managed,
}

/** Every model with its price, and what it brought of late. */
export default function PricesPage(): ReactNode {
  const t = useTexts('prices')
  const { modelKinds, modelKind } = useTexts('models')
  const table = useTableState({ filters: ['kind', 'state'], sort: { by: 'name', order: 'asc' } })
  const models = useQuery(modelsQuery)
  const { data: sales } = useQuery(modelSalesQuery)
  const navigate = useNavigate()
  const [mayChange, mayAdd] = [useMay('prices'), useMay('catalogue')]
  const [flat, open] = useFlatSearch()
  const { new: isNew, name: wanted = '', ...others } = flat
  const columns = usePriceColumns({
    prices: longestExactPlaces((models.data ?? []).flatMap(pricesOf)),
    sold: longestPlaces([...(sales?.values() ?? [])].flatMap(({ charged, margin }) => [charged, margin])),
  })
  const words = table.search.toLowerCase()
  const { kind, state } = table.filters
  const stateWanted = STATES.find((each) => each === state)
  const rows = models.data
    ?.filter(
      (model) =>
        model.name.toLowerCase().includes(words) &&
        (kind === undefined || model.kind === kind) &&
        (stateWanted === undefined || IS_IN[stateWanted](model)),
    )
    .map((model) => ({ model, sales: sales === undefined ? null : (sales.get(model.name) ?? 'none') }) as const)
  return (
    <>
      <ListPage
        name="prices"
        icon="models"
        texts={t}
        actions={
          <>
            {mayChange && (
              <Link to={ADMIN_PATHS.priceImport} className={buttonClass('secondary')}>
                <Icon name="download" />
                {t.import}
              </Link>
            )}
            {mayAdd && (
              <Button look="primary" icon="plus" onClick={() => open({ ...others, new: 'model' })}>
                {t.adding.title}
              </Button>
            )}
          </>
        }
        columns={columns}
        state={table}
        page={{ ...models, data: rows && pageAt(rows, table.cursor) }}
        rowId={({ model }) => model.id}
        rowName={({ model }) => model.name}
        onOpen={({ model }) => void navigate({ to: ADMIN_PATHS.price, params: { modelId: model.id } })}
        download={{ path: '/api/models', query: { search: table.search } }}
        filters={
          <>
            <FilterSelect
              state={table}
              name="kind"
              label={modelKind}
              options={kindsOf(models.data ?? []).map((value) => ({ value, label: modelKinds[value] }))}
            />
            <FilterSelect
              state={table}
              name="state"
              label={t.states.label}
              options={STATES.map((value) => ({ value, label: t.states[value] }))}
            />
          </>
        }
      />
      {isNew !== undefined && mayAdd && (
        <NewModel
          name={wanted}
          onDone={({ id }) => void navigate({ to: ADMIN_PATHS.price, params: { modelId: id } })}
          onClose={() => open(others)}
        />
      )}
    </>
  )
}

function pricesOf({ price }: ModelView): readonly string[] {
  return [price?.input, price?.output, price?.cache_read].filter((amount) => typeof amount === 'string')
}

/** A model with its price and a first target; the rest is set on its page. */
function NewModel(props: {
  /** The name that was asked for; empty: not known. */
  readonly name: string
  onDone(made: ModelView): void
  onClose(): void
}): ReactNode {
  const t = useTexts('prices').adding
  const { data: upstreams = [] } = useQuery(upstreamsQuery)
  const form = useForm({
    initial: { name: props.name, input: '', output: '', upstream: '', model: '' },
    validate: (values) => ({ name: values.name.trim() === '' && 'required', ...amountProblems(values) }),
    messages: t,
    send: (values, { key }) => {
      const [name, model] = [values.name.trim(), values.model.trim()]
      const [input, output] = [amountOf(values.input), amountOf(values.output)]
      const target = { upstream: values.upstream, model: model === '' ? name : model }
      const price = input === null || output === null ? null : { input, output }
      return createModel({ name, price, targets: values.upstream === '' ? [] : [target] }, key)
    },
    onDone: props.onDone,
    refreshes: ['models', 'upstreams', 'groups', 'attention'],
  })
  const field = (name: 'name' | 'input' | 'output' | 'model') => form.text(name, t[name])
  return (
    <FormDialog form={form} title={t.title} description={t.lead} action={t.action} onClose={props.onClose}>
      <TextField {...field('name')} hint={t.nameHint} maxLength={200} spellCheck={false} autoFocus />
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField of="amount" {...field('input')} isOptional />
        <NumberField of="amount" {...field('output')} isOptional />
      </div>
      <SelectField
        {...form.choice('upstream', t.upstream)}
        options={[{ value: '', label: t.noUpstream }, ...upstreams.map(({ name }) => ({ value: name, label: name }))]}
      />
      {form.values.upstream !== '' && (
        <TextField {...field('model')} hint={t.modelHint} maxLength={200} spellCheck={false} isOptional />
      )}
    </FormDialog>
  )
}

function amountProblems({ input, output }: { readonly input: string; readonly output: string }) {
  const [hasInput, hasOutput] = [input.trim() !== '', output.trim() !== '']
  if (hasInput !== hasOutput) return { [hasInput ? 'output' : 'input']: 'pricePair' as const }
  return {
    input: !isEmptyOr(amountOf, input) && ('amountForm' as const),
    output: !isEmptyOr(amountOf, output) && ('amountForm' as const),
  }
}
