import type { AskedModel } from '../models/table.ts'
import type { Model, Target } from './catalog.ts'

/** The model by which the facts of a target are known, with the rules of the target above those of its model. */
export function askedModelOf(
  { model, fieldsLike = model, rules }: Pick<Target, 'model' | 'fieldsLike' | 'rules'>,
  { serving }: Pick<Model, 'serving'>,
): AskedModel {
  const ofModel = serving?.rules
  if (rules === undefined && ofModel === undefined) return { name: fieldsLike }
  return { name: fieldsLike, rules: { ...ofModel, ...rules } }
}
