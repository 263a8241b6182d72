import type { SetupWay } from '../../../contract/setup.ts'
import { SETTINGS_PAGES, type SettingsPage } from './app-settings.ts'
import { APP_FILES } from './app-files.ts'
import type { ClientDescription, WayContext } from './client-description.ts'

function settingsClient(page: SettingsPage): ClientDescription {
  return {
    id: page.id,
    name: page.name,
    category: 'app',
    protocols: [page.protocol ?? 'openai-chat'],
    advice: page.advice ?? [],
    systems: (way) => settingsSystems(page, way),
  }
}

function settingsSystems(page: SettingsPage, { origin, openaiBaseUrl }: WayContext): SetupWay['systems'] {
  const fields = page.fields.map(([label, text, chineseLabel]) => ({
    label,
    chinese_label: chineseLabel ?? null,
    value: text.replace('{origin}', origin).replace('{base_url}', openaiBaseUrl),
  }))
  const step = {
    kind: 'settings',
    purpose: 'set',
    note: 'fields_in_app',
    where: page.where,
    chinese_where: page.chineseWhere ?? null,
    fields,
  } as const
  return [{ system: 'any', steps: [step] }]
}

/** Programs with windows, by their settings page or their file. */
export const APP_CLIENTS: readonly ClientDescription[] = [...SETTINGS_PAGES.map(settingsClient), ...APP_FILES]
