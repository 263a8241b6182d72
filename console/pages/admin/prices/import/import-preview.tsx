import { type ReactNode, useMemo, useState } from 'react'
import type { ModelView } from '../../../../../src/contract/models.ts'
import { useMay } from '../../../../api/use-may.ts'
import { useTexts } from '../../../../dictionaries/texts.ts'
import { useFormat } from '../../../../format/use-format.ts'
import { Button } from '../../../../ui/button.tsx'
import { ConfirmDialog } from '../../../../ui/dialog.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { Select } from '../../../../ui/select.tsx'
import { EffectiveAtField, useEffectiveAt } from '../effective-at.tsx'
import { type Catalogue, importSource, leftOutOf } from './catalogue-entry.ts'
import { type Compared, comparePrices, type ImportRow } from './compare-prices.ts'
import { ImportFailures } from './import-failures.tsx'
import { ImportEffect, ImportRows } from './import-rows.tsx'
import { useImport } from './use-import.ts'

/** What a catalogue would change, row by row; nothing is saved before it is confirmed. */
export function ImportPreview(props: {
  readonly models: readonly ModelView[]
  readonly catalogue: Catalogue
  onOther(): void
}): ReactNode {
  const t = useTexts('priceImport')
  const { models, catalogue } = props
  const format = useFormat()
  const [provider, setProvider] = useState('')
  const [ticks, setTicks] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [isAsking, setAsking] = useState(false)
  const run = useImport(importSource(catalogue))
  const effective = useEffectiveAt()
  // As they were sent: once they are saved, the comparison has them no more.
  const [sent, setSent] = useState<readonly ImportRow[]>([])
  const [mayPrice, mayLimits] = [useMay('prices'), useMay('catalogue')]
  const compared = useMemo(
    () => comparePrices(models, catalogue.entries, { provider, hasLimits: mayLimits }),
    [models, catalogue, provider, mayLimits],
  )
  const { rows } = compared
  const ticked = rows.filter(({ model, held }) => ticks.get(model.id) ?? held.length === 0)
  const tick = (ids: readonly string[], isTicked: boolean): void =>
    setTicks(new Map([...ticks, ...ids.map((id) => [id, isTicked] as const)]))
  const send = (): void => {
    setSent(ticked)
    const { moment } = effective
    const form = { rows: ticked, ...(moment === undefined ? {} : { effectiveAt: moment }) }
    run.apply.mutate(form, { onSettled: () => setAsking(false), onSuccess: () => effective.onAt(null) })
  }
  const action = effective.at === null ? t.apply(ticked.length) : t.plan(ticked.length)
  return (
    <div className="grid gap-4">
      <CatalogueChoice {...{ catalogue, models, provider }} onProvider={setProvider} onOther={props.onOther} />
      <ImportOutcome run={run} sent={sent} />
      {rows.length === 0 ? (
        <div className="card">
          <EmptyState icon="models" title={t.none}>
            {t.noneText}
          </EmptyState>
        </div>
      ) : (
        <>
          <ImportRows rows={rows} ticked={new Set(ticked.map(({ model }) => model.id))} onTick={tick} />
          <ImportEffect rows={ticked} />
          {mayPrice && <EffectiveAtField effective={effective} error={effective.error} />}
          {mayPrice && (
            <div className="flex justify-end">
              <Button
                look="primary"
                disabled={ticked.length === 0 || effective.error !== undefined}
                onClick={() => setAsking(true)}
              >
                {action}
              </Button>
            </div>
          )}
        </>
      )}
      <LeftOut compared={compared} />
      <LeftOutPrices catalogue={catalogue} />
      <ConfirmDialog
        isOpen={isAsking}
        title={effective.at === null ? t.confirm(ticked.length) : t.confirmPlan(ticked.length)}
        action={action}
        isBusy={run.apply.isPending}
        onConfirm={send}
        onClose={() => setAsking(false)}
      >
        {effective.moment === undefined ? t.confirmText : t.confirmPlanText(format.time(effective.moment))}
      </ConfirmDialog>
    </div>
  )
}

/** What was read, the provider whose prices count, and the way to another catalogue. */
function CatalogueChoice(props: {
  readonly catalogue: Catalogue
  readonly models: readonly ModelView[]
  readonly provider: string
  onProvider(name: string): void
  onOther(): void
}): ReactNode {
  const t = useTexts('priceImport')
  const { catalogue, models } = props
  const providers = useMemo(() => providersOf(catalogue, models), [catalogue, models])
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="mr-auto text-ink-2">{t.read(t.forms[catalogue.form], catalogue.entries.length)}</span>
      {providers.length > 1 && (
        <Select<string>
          aria-label={t.provider}
          className="w-56"
          value={props.provider}
          onValue={props.onProvider}
          options={[{ value: '', label: t.allProviders }, ...providers.map((name) => ({ value: name, label: name }))]}
        />
      )}
      <Button onClick={props.onOther}>{t.other}</Button>
    </div>
  )
}

/** What came of the last press, with the way back. `sent`: the rows as they were sent. */
function ImportOutcome(props: {
  readonly run: ReturnType<typeof useImport>
  readonly sent: readonly ImportRow[]
}): ReactNode {
  const t = useTexts('priceImport')
  const [mayPrice, mayLimits] = [useMay('prices'), useMay('catalogue')]
  const { takeBack, overwrite, leave, saved, planned, failed } = props.run
  return (
    <>
      {saved.length > 0 && (
        <Notice
          tone="good"
          isLive
          action={
            <Button isBusy={takeBack.isPending} onClick={() => takeBack.mutate(saved)}>
              {t.undo}
            </Button>
          }
        >
          {t.saved(saved.length)}
        </Notice>
      )}
      {planned > 0 && (
        <Notice tone="good" isLive>
          {t.planned(planned)}
        </Notice>
      )}
      {takeBack.isSuccess && takeBack.data.length === 0 && saved.length === 0 && <Notice isLive>{t.undone}</Notice>}
      {mayPrice && !mayLimits && <Notice>{t.pricesOnly}</Notice>}
      <ImportFailures
        failed={failed}
        isBusy={overwrite.isPending}
        onMine={({ id, problem }) => {
          const row = props.sent.find(({ model }) => model.id === id)
          if (row !== undefined && problem.version !== null) overwrite.mutate({ row, version: problem.version })
        }}
        onTheirs={({ id }) => leave(id)}
      />
    </>
  )
}

/** The providers of the models that are here; a catalogue has hundreds of others. */
function providersOf({ entries }: Catalogue, models: readonly ModelView[]): readonly string[] {
  const names = new Set(models.flatMap(({ name, targets = [] }) => [name, ...targets.map(({ model }) => model)]))
  return [...new Set(entries.filter(({ name }) => names.has(name)).map(({ provider }) => provider))]
    .filter((name) => name !== '')
    .toSorted()
}

/** So many names are said; the others are counted. */
const MOST_NAMES = 10

const PARTS = ['ambiguous', 'missing', 'locked', 'managed', 'partial'] as const

function LeftOut({ compared }: { readonly compared: Compared }): ReactNode {
  const t = useTexts('priceImport').left
  const format = useFormat()
  return (
    <div className="grid gap-1 text-sm text-ink-3">
      {compared.same > 0 && <p>{t.same(compared.same)}</p>}
      {PARTS.map((part) => {
        const names = compared[part]
        return (
          names.length > 0 && (
            <p key={part} className="[overflow-wrap:anywhere]">
              {t[part](format.list(names.slice(0, MOST_NAMES)), Math.max(0, names.length - MOST_NAMES))}
            </p>
          )
        )
      })}
    </div>
  )
}

/** What of the catalogue is imported for no model, with the reason. */
function LeftOutPrices({ catalogue }: { readonly catalogue: Catalogue }): ReactNode {
  const t = useTexts('priceImport').leftOut
  const format = useFormat()
  const left = useMemo(() => leftOutOf(catalogue), [catalogue])
  const unpriced = catalogue.unpriced.length
  if (left.length === 0 && unpriced === 0) return null
  return (
    <section aria-label={t.title} className="grid gap-1 text-sm text-ink-3">
      <h2 className="font-medium text-ink-2">{t.title}</h2>
      {unpriced > 0 && <p>{t.models(unpriced)}</p>}
      {left.map(({ because, count, fields }) => (
        <p key={because} className="[overflow-wrap:anywhere]">
          {t.prices(
            count,
            t.why[because],
            t.fields(format.list(fields.slice(0, MOST_NAMES)), Math.max(0, fields.length - MOST_NAMES)),
          )}
        </p>
      ))}
    </section>
  )
}
