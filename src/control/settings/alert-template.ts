import type { Changes } from '../../access/audit.ts'
import { type AlertTemplate, withoutTexts } from '../../core/alert-template.ts'
import type { KeptSettings } from '../changeable-stores.ts'

/** The entry of the store that holds all settings of the server: see `instance-settings.ts`. */
export const INSTANCE_SETTINGS = 'place_settings'

/** What alerts are posted as; null: as their webhook's format has it. Without a schema, which a plain start does not load. */
export async function readAlertTemplate(store: Pick<KeptSettings, 'read'>): Promise<AlertTemplate | null> {
  const stored: unknown = JSON.parse((await store.read(INSTANCE_SETTINGS)) ?? '{}')
  if (typeof stored !== 'object' || stored === null || !('alert_template' in stored)) return null
  const { alert_template: template } = stored
  return typeof template === 'object' && template !== null && !Array.isArray(template) ? { ...template } : null
}

/** What the audit says of settings: all staff read it, and texts of a template may be what its receiver knows senders by. */
export function withoutTemplateTexts(changes: Changes): Record<string, { before: unknown; after: unknown }> {
  const { alert_template: template, ...others } = changes
  if (template === undefined) return others
  return { ...others, alert_template: { before: hidden(template.before), after: hidden(template.after) } }
}

function hidden(template: unknown): unknown {
  return typeof template === 'object' && template !== null ? withoutTexts({ ...template }) : null
}
