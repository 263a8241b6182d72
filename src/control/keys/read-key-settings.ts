import { type KeySettings, type SentSettings, wantedOf } from '../../access/key-settings.ts'
import { judgeSettings, type KeySettingsContext, SettingsRefusal } from '../../entitlement/key-settings.ts'
import { fieldProblem, type Problem } from '../problem.ts'
import { type ListedCatalogue, mayUse, type Viewer } from '../catalogue.ts'

/**
 * Reads what was sent as the settings of a key, over what it is now (null: it is being created, and everything is sent).
 * `owner` is whose key it is: groups and models are theirs to use or not. Throws Problem.
 */
export function readKeySettings(
  sent: SentSettings,
  before: KeySettings | null,
  {
    owner,
    ...context
  }: Omit<KeySettingsContext, 'catalogue' | 'mayUse'> & { owner: Viewer; catalogue: ListedCatalogue },
): Partial<KeySettings> {
  try {
    return judgeSettings(wantedOf(sent), before, { ...context, mayUse: (group) => mayUse(group, owner) })
  } catch (error) {
    throw error instanceof SettingsRefusal ? refused(error) : error
  }
}

function refused({ field, message, form, values }: SettingsRefusal): Problem {
  return fieldProblem(field.join('.'), `${message}.`, { form, values })
}
