import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { SettingName } from '../../../../src/contract/configuration.ts'
import { paymentSettingsQuery } from '../../../api/payments.ts'
import { configurationQuery, settingsQuery } from '../../../api/settings-admin.ts'
import { useMay } from '../../../api/use-may.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFlatSearch } from '../../../table/use-flat-search.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Input } from '../../../ui/input.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/section.tsx'
import { SkeletonLines } from '../../../ui/skeleton.tsx'
import { AlertWays } from './alert-ways.tsx'
import { ExportFile } from './export-file.tsx'
import { PAYMENT_PARTS, type PaymentPart, PaymentSettings } from './payments/payment-settings.tsx'
import { SETTING_NAMES } from './setting-form.ts'
import { StoredSettings } from './stored-settings.tsx'
import { Variables } from './variables.tsx'

const PaymentForms = lazyPart(() => import('./payments/payment-forms.tsx'))
const EditSetting = lazyPart(() => import('./edit-setting.tsx'))

/** Every setting with its value and where it comes from; what the environment sets can only be read. */
export default function SettingsPage(): ReactNode {
  const t = useTexts('settings')
  const [words, setWords] = useState('')
  const settings = useQuery(settingsQuery)
  const configuration = useQuery(configurationQuery)
  const payments = useQuery(paymentSettingsQuery)
  const all = {
    data: allOf(settings.data, configuration.data, payments.data),
    error: settings.error ?? configuration.error ?? payments.error,
    refetch: () => Promise.all([settings.refetch(), configuration.refetch(), payments.refetch()]),
  }
  const mayChange = useMay('admin')
  const [flat, open] = useFlatSearch()
  const { edit, ...others } = flat
  const paid = PAYMENT_PARTS.find((part) => part === edit)
  const edited = SETTING_NAMES.find((name) => name === edit)
  const matches = (...texts: readonly (string | null)[]): boolean =>
    texts.some((text) => text !== null && text.toLowerCase().includes(words.trim().toLowerCase()))
  return (
    <>
      <PageHeader title={t.title} lead={t.lead} actions={mayChange && <ExportFile />} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <div className="relative w-full sm:w-80">
          <Icon name="search" className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-3" />
          <Input
            type="search"
            aria-label={t.search}
            placeholder={t.search}
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
            className="pl-8"
          />
        </div>
        <QueryView
          query={all}
          skeleton={
            <Section title={t.stored.title} lead={t.stored.lead}>
              <SkeletonLines />
            </Section>
          }
        >
          {(data) => (
            <>
              <StoredSettings
                settings={data.settings}
                sources={data.configuration.settings}
                matches={matches}
                onEdit={(name: SettingName) => open({ ...others, edit: name })}
              />
              <PaymentSettings
                settings={data.payments}
                matches={matches}
                onEdit={(part: PaymentPart) => open({ ...others, edit: part })}
              />
              {words.trim() === '' && <AlertWays />}
              <Variables variables={data.configuration.variables} matches={matches} isSearched={words.trim() !== ''} />
            </>
          )}
        </QueryView>
      </div>
      {mayChange && edited !== undefined && settings.data !== undefined && configuration.data !== undefined && (
        <EditSetting
          key={edited}
          name={edited}
          settings={settings.data}
          source={configuration.data.settings.find(({ name }) => name === edited) ?? null}
          onClose={() => open(others)}
        />
      )}
      {mayChange && paid !== undefined && payments.data !== undefined && (
        <PaymentForms key={paid} part={paid} settings={payments.data} onClose={() => open(others)} />
      )}
    </>
  )
}

function allOf<Values, Sources, Payments>(
  settings: Values | undefined,
  configuration: Sources | undefined,
  payments: Payments | undefined,
) {
  if (settings === undefined || configuration === undefined || payments === undefined) return undefined
  return { settings, configuration, payments }
}
