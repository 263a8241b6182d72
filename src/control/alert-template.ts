import type { AlertTemplate } from '../core/alert-template.ts'
import type { ControlStores } from './parts.ts'

/** The entry of the store that holds all settings of the server: see `instance-settings.ts`. */
export const PLACE_SETTINGS = 'place_settings'

/** What alerts are posted as; null: as their webhook's format has it. Without a schema, which a plain start does not load. */
export async function readAlertTemplate(store: ControlStores['settings']): Promise<AlertTemplate | null> {
  const stored: unknown = JSON.parse((await store.read(PLACE_SETTINGS)) ?? '{}')
  if (typeof stored !== 'object' || stored === null || !('alert_template' in stored)) return null
  const { alert_template: template } = stored
  return typeof template === 'object' && template !== null && !Array.isArray(template) ? { ...template } : null
}
