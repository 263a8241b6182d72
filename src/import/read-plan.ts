import { requireProduct, generationOf } from './detect-product.ts'
import { type ImportPlan, type ProductWithDatabase, type ImportSettings, ImportNotes } from './import-plan.ts'
import { noteLeftBehind, watched } from './left-behind.ts'
import type { LitellmConfigFile } from './litellm/config-files.ts'
import { type BesideConfig, readLitellm } from './litellm/read-litellm.ts'
import { readNewApi } from './new-api/read-new-api.ts'
import type { SourceReader } from './source.ts'
import { readSub2api } from './sub2api/read-sub2api.ts'

export { WILDCARD_SOURCES } from './litellm/wildcards.ts'

/** Reads another gateway's database into a plan. Writes nothing anywhere. Throws ImportRefusal for one that cannot be read. */
export async function readPlan(
  source: SourceReader,
  product: ProductWithDatabase,
  settings: ImportSettings,
): Promise<ImportPlan> {
  await requireProduct(source, product)
  const plan = await withLeftBehind(source, (reading) =>
    product === 'sub2api' ? readSub2api(reading, settings) : readNewApi(reading, product, settings),
  )
  return { ...plan, generation: generationOf(source, product) }
}

/**
 * The plan for LiteLLM's configuration, with the files that it includes, and for its database where that is given. Throws
 * ImportRefusal for one that cannot be read.
 */
export async function readConfigurationPlan(
  file: LitellmConfigFile,
  settings: ImportSettings & BesideConfig,
): Promise<ImportPlan> {
  const { database } = settings
  if (database === null) return readLitellm(file, settings)
  await requireProduct(database, 'litellm')
  return withLeftBehind(database, (reading) => readLitellm(file, { ...settings, database: reading }))
}

/** Adds notes of everything that was not read for the plan. */
async function withLeftBehind(
  source: SourceReader,
  read: (source: SourceReader) => Promise<ImportPlan>,
): Promise<ImportPlan> {
  const reading = watched(source)
  const plan = await read(reading)
  const left = new ImportNotes()
  await noteLeftBehind(reading, left)
  return { ...plan, notes: [...plan.notes, ...left.notes] }
}
