import { readFile } from 'node:fs/promises'
import { shippedPrices, type ShippedPrices } from '../../contract/price-catalogue.ts'

/** The list that `tools/shipped-prices.ts` writes, as far from the sources as from what is compiled. */
const FILE = new URL('../../../docs/prices.json', import.meta.url)

let read: Promise<ShippedPrices | null> | undefined

/** The list prices that are shipped, read once when they are first asked for; null: the package is not whole. */
export function readShippedPrices(): Promise<ShippedPrices | null> {
  read ??= readFile(FILE, 'utf8').then(
    (text) => shippedPrices.parse(JSON.parse(text)),
    () => null,
  )
  return read
}
