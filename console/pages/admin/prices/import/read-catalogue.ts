import { type Catalogue, type Fields, fieldsOf } from './catalogue-entry.ts'
import { readLitellm } from './read-litellm.ts'
import { readModelsDev } from './read-models-dev.ts'

export type CatalogueObjection = 'no_json' | 'unknown_form' | 'no_prices'

/** Prices from a file that was pasted or chosen, in whichever of the known forms it is. */
export function readCatalogue(text: string): Catalogue | CatalogueObjection {
  let parsed: unknown
  try {
    parsed = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return 'no_json'
  }
  return catalogueOf(fieldsOf(parsed))
}

/** Reads a catalogue from a document that is parsed already. */
export function catalogueOf(document: Fields): Catalogue | Exclude<CatalogueObjection, 'no_json'> {
  const ofModelsDev = readModelsDev(document)
  const found = ofModelsDev ?? readLitellm(document)
  if (found === null) return 'unknown_form'
  if (found.entries.length === 0) return 'no_prices'
  const isOurs = Object.keys(document).length === 1 && 'tollgate' in document
  return { form: ofModelsDev === null ? 'litellm' : isOurs ? 'tollgate' : 'models_dev', ...found }
}
