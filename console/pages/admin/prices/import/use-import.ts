import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { newIdempotencyKey } from '../../../../api/idempotency-key.ts'
import { importPrice, readModel } from '../../../../api/price-admin.ts'
import { useMay } from '../../../../api/use-may.ts'
import { eachOf, type Outcome } from '../../accounts/each-of.ts'
import { useRefresh } from '../../../../forms/use-refresh.ts'
import type { ImportRow } from './compare-prices.ts'
import { changedFields, type ImportedModel, requireTakeBack } from './take-back.ts'

/**
 * Saves prices one by one, each under the version that was compared, and takes them back as long as they stand. `source`:
 * where they are from.
 */
export function useImport(source?: string) {
  const mayChangeLimits = useMay('catalogue')
  const [saved, setSaved] = useState<readonly ImportedModel[]>([])
  const [failed, setFailed] = useState<readonly FailedModel[]>([])
  const [planned, setPlanned] = useState(0)
  // Of the last press: what is set all the same belongs to the import that it was part of.
  const [last, setLast] = useState<ImportPart>({ importId: '', effectiveAt: undefined, source })
  const read = useRefresh()
  const refresh = (): void => read(['models', 'groups', 'attention', 'audit'])
  const apply = useMutation({
    mutationFn: ({ rows, effectiveAt }: { readonly rows: readonly ImportRow[]; readonly effectiveAt?: string }) => {
      const part = { importId: `imp_${newIdempotencyKey()}`, effectiveAt, source }
      setLast(part)
      return saveAll(rows, part)
    },
    onSuccess: (answer, { effectiveAt }) => {
      // What is planned is taken back on the page of its model.
      setSaved(effectiveAt === undefined ? answer.made : [])
      setPlanned(effectiveAt === undefined ? 0 : answer.made.length)
      setFailed(answer.failed)
      refresh()
    },
  })
  const takeBack = useMutation({
    mutationFn: (models: readonly ImportedModel[]) => takeAllBack(models, mayChangeLimits),
    onSuccess: (others) => {
      setSaved([])
      setFailed(others)
      refresh()
    },
  })
  /** Lets what another admin set stand. */
  const leave = (id: string): void => {
    setFailed((before) => before.filter(({ item }) => item.id !== id))
    refresh()
  }
  /** Saves a model's row though it was changed since the comparison, of which the version is known by then. */
  const overwrite = useMutation({
    mutationFn: async ({ row, version }: { readonly row: ImportRow; readonly version: string }) =>
      saveOne({ ...row, model: { ...(await readModel(row.model.id)), version } }, last),
    onSuccess: (made) => {
      if (last.effectiveAt === undefined) setSaved((before) => [...before, made])
      else setPlanned((before) => before + 1)
      leave(made.id)
    },
    onError: (error, { row }) =>
      setFailed((before) => before.map((each) => (each.item.id === row.model.id ? { ...each, error } : each))),
  })
  return { apply, takeBack, overwrite, leave, saved, planned, failed }
}

interface ImportPart {
  readonly importId: string
  /** When all of it takes effect; undefined: at once. */
  readonly effectiveAt: string | undefined
  /** Where its prices are from. */
  readonly source: string | undefined
}

async function saveAll(rows: readonly ImportRow[], part: ImportPart) {
  const made: ImportedModel[] = []
  const outcomes = await eachOf(rows, async (row) => {
    made.push(await saveOne(row, part))
  })
  return { made, failed: outcomes.flatMap(failedOf(({ model }) => model)) }
}

/** Saves one price under the version of `model`. */
async function saveOne(
  { model, price, limits }: Pick<ImportRow, 'model' | 'price' | 'limits'>,
  { importId, effectiveAt, source }: ImportPart,
): Promise<ImportedModel> {
  const form = { price, ...limits, import_id: importId, import_source: source, effective_at: effectiveAt }
  const after = await importPrice(model.id, form, model.version)
  return { id: model.id, name: model.name, ...changedFields(model, after) }
}

async function takeAllBack(
  models: readonly ImportedModel[],
  mayChangeLimits: boolean,
): Promise<readonly FailedModel[]> {
  const outcomes = await eachOf(models, async (imported) => {
    const now = await readModel(imported.id)
    requireTakeBack(imported, now, mayChangeLimits)
    await importPrice(imported.id, imported.before, now.version)
  })
  return outcomes.flatMap(failedOf((model) => model))
}

/** A model that was left as it is. */
export type FailedModel = Outcome<{ readonly id: string; readonly name: string }>

function failedOf<Item>(modelOf: (item: Item) => FailedModel['item']) {
  return ({ item, error }: Outcome<Item>): FailedModel[] =>
    error === null ? [] : [{ item: { id: modelOf(item).id, name: modelOf(item).name }, error }]
}
