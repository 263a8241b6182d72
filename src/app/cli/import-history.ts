import { resolve } from 'node:path'
import { requireProduct } from '../../import/detect-product.ts'
import type { Product } from '../../import/import-plan.ts'
import { writeHistory } from '../history/write-history.ts'
import { type CliHost, UsageError } from './cli-host.ts'
import type { Invocation } from './command.ts'
import { CountedProgress } from './counted-progress.ts'
import { endBySignal } from './end-by-signal.ts'
import { sourceNamed } from './import-source.ts'

/** Archives what another gateway's database has of the past, which does not belong to the books here. */
export async function archiveHistory(
  { product, named, directory }: { readonly product: Product; readonly named: string; readonly directory: string },
  call: Invocation,
  host: CliHost,
): Promise<number> {
  if (product === 'litellm')
    throw new UsageError('--history reads a database, and of litellm the configuration is read.')
  const other = ['dry-run', 'confirm', 'test', 'verify', 'switched'].find(
    (name) => call.has(name) || call.text(name) !== null,
  )
  if (other !== undefined) throw new UsageError(`--history imports nothing, so it takes no --${other}.`)
  const source = await sourceNamed(named, host)
  const progress = new CountedProgress(host)
  const unhook = endBySignal(host, 'Stopped. The next run goes on behind the last file that is whole.')
  try {
    await requireProduct(source, product)
    const order = { source, product, directory: resolve(directory), onProgress: progress.at }
    const { files, rows } = await writeHistory(order)
    progress.end()
    const what = files === 0 ? 'Nothing is new since the last run.' : `${rows} rows in ${files} files in ${directory}.`
    host.print(`${what}\n`)
    return 0
  } finally {
    unhook()
    await source.close()
  }
}
