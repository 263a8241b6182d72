import type { FieldForm } from '../core/field-forms.ts'
import { mustBe } from '../core/must-be.ts'

/** Refuses settings: `field` as the wire writes it, such as `['fallback_groups', 0]`, and what that field must be, for `mustBe`. */
export class SettingsRefusal extends Error {
  override readonly name = 'SettingsRefusal'
  readonly field: readonly [string, ...(string | number)[]]
  readonly takes: string
  /** The form of the field as a word, with what can be chosen from. */
  readonly form: FieldForm
  readonly values: readonly string[]

  constructor(
    field: SettingsRefusal['field'],
    takes: string,
    { form, values = [] }: { form: FieldForm; values?: readonly string[] },
  ) {
    super(`${field.join('.')} ${mustBe(takes)}`)
    this.field = field
    this.takes = takes
    this.form = form
    this.values = values
  }
}
