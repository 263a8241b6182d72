import { z } from 'zod'
import type { FileForm } from '../../contract/objects/field-types.ts'
import type { HeldValues, ObjectFields } from '../../contract/objects/object-fields.ts'
import { invariant } from '../../core/invariant.ts'
import { listOf, listOfWords, moment, multiplier, oneOf, text, usd, wholeNumber, yesOrNo } from './fields.ts'

type Schemas<Fields> = { readonly [Name in keyof Fields]: z.ZodType<HeldValues<Fields>[Name]> }

/**
 * The schemas of the fields of an object in the file. What is left out, or empty, has the default. `own`: the schemas of values
 * that only the file has a form for.
 */
export function fileShape<Fields extends ObjectFields>(fields: Fields, own: Partial<Schemas<Fields>> = {}) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, each]) => {
      const schema = own[name] ?? schemaOf(name, each.type.form)
      if (!('default' in each) || each.isRequiredInFile === true) return [name, schema]
      const standard = each.type.read(each.default)
      return [name, schema.nullish().transform((value) => value ?? standard)]
    }),
  ) as Schemas<Fields>
}

function schemaOf(name: string, form: FileForm | undefined): z.ZodType {
  invariant(form !== undefined, `the file has a schema of its own for ${name}`)
  switch (form.is) {
    case 'line':
      return text(form.bound)
    case 'whole':
      return wholeNumber(form.bound)
    case 'usd':
      return usd(form.bound)
    case 'factor':
      return multiplier(form.bound)
    case 'word':
      return oneOf(...form.words)
    case 'words':
      return listOfWords(form.words, form.what, form.least)
    case 'list':
      return listOf(schemaOf(name, form.of), form.what, form.bound)
    case 'flag':
      return yesOrNo()
    case 'moment':
      return moment()
  }
}
