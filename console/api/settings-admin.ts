import { queryOptions } from '@tanstack/react-query'
import type { SettingsRead, SettingsView } from '../../src/contract/administration.ts'
import type {
  AlertTestView,
  ConfigurationExport,
  ConfigurationView,
  SettingName,
} from '../../src/contract/configuration.ts'
import { patch, post, read, request } from './request.ts'

export type SettingSource = ConfigurationView['settings'][number]
export type GivenVariable = ConfigurationView['variables'][number]

/** All settings of the API, with the version that an edit names. */
export const settingsQuery = read<SettingsRead>(['settings', 'values'], '/api/settings')

/** Where each setting comes from, and every environment variable. */
export const configurationQuery = read<ConfigurationView>(['settings', 'configuration'], '/api/configuration')

export type SettingsChange = { readonly [Name in SettingName]?: SettingsView[Name] }

/** `version`: of the settings as they were read. */
export function changeSettings(body: SettingsChange, version: string): Promise<SettingsRead> {
  return patch('/api/settings', body, version)
}

/** The installation as a declarative file. */
export function exportConfiguration(): Promise<ConfigurationExport> {
  return post('/api/configuration/export')
}

/** What would be posted of an example alert. */
export const alertPreviewQuery = (template: object | null) =>
  queryOptions({
    queryKey: ['settings', 'preview', JSON.stringify(template)],
    queryFn: ({ signal }) =>
      request<{ body: object }>('/api/alerts/preview', { method: 'POST', body: { template }, signal }),
    enabled: template !== null,
    retry: false,
    gcTime: 0,
  })

/** Sends a test on every way on which alerts go; empty: there is none. */
export async function testAlerts(): Promise<AlertTestView['data']> {
  return (await post<AlertTestView>('/api/alerts/test')).data
}
