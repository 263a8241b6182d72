import { queryOptions } from '@tanstack/react-query'
import type { SettingsRead, SettingsView } from '../../src/contract/administration.ts'
import type {
  AlertTestView,
  ConfigurationExport,
  ConfigurationView,
  SettingName,
} from '../../src/contract/configuration.ts'
import { patch, post, read } from './request.ts'

export type SettingSource = ConfigurationView['settings'][number]
export type GivenVariable = ConfigurationView['variables'][number]

/** All settings of the API, with the version that an edit names. */
export const settingsQuery = read<SettingsRead>(['settings', 'values'], '/api/settings')

/** Where each setting comes from, and every environment variable. */
export const configurationQuery = read<ConfigurationView>(['settings', 'configuration'], '/api/configuration')

export type SettingsChange = { readonly [Name in SettingName]?: SettingsView[Name] }

/** `version`: of the settings as they were read. */
export const changeSettings = (body: SettingsChange, version: string) =>
  patch<SettingsRead>('/api/settings', body, version)

/** The installation as a declarative file. */
export const exportConfiguration = () => post<ConfigurationExport>('/api/configuration/export')

/** What would be posted of an example alert. */
export const alertPreviewQuery = (template: object | null) =>
  queryOptions({
    ...read<{ body: object }>(['settings', 'preview', JSON.stringify(template)], '/api/alerts/preview', {
      method: 'POST',
      body: { template },
      retry: false,
      gcTime: 0,
    }),
    enabled: template !== null,
  })

/** Sends a test on every way on which alerts go; empty: there is none. */
export async function testAlerts(): Promise<AlertTestView['data']> {
  return (await post<AlertTestView>('/api/alerts/test')).data
}
