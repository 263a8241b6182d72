import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { SettingName } from '../../../../src/contract/configuration.ts'
import { paymentSettingsQuery } from '../../../api/payments.ts'
import { configurationQuery, exportConfiguration, settingsQuery, testAlerts } from '../../../api/settings-admin.ts'
import { useMay } from '../../../api/use-may.ts'
import { useProblemText } from '../../../dictionaries/problem-text.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { useGuarded } from '../../../shell/identity-guard.tsx'
import { useFlatSearch } from '../../../table/use-flat-search.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { saveText } from '../../../ui/save-text.ts'
import { Section } from '../../../ui/section.tsx'
import { SkeletonLines } from '../../../ui/skeleton.tsx'
import { useToast } from '../../../ui/toasts.tsx'
import { PAYMENT_PARTS, type PaymentPart, PaymentSettings } from './payments/payment-settings.tsx'
import { matching, SearchBox } from './search-box.tsx'
import { SETTING_NAMES } from './setting-form.ts'
import { type LastEdit, StoredSettings } from './stored-settings.tsx'

const MenuRows = lazyPart(() => import('../kit/menu-rows.tsx'))
const PaymentForms = lazyPart(() => import('./payments/payment-forms.tsx'))
const EditSetting = lazyPart(() => import('./edit-setting.tsx'))

/** Every setting that is kept with its value and where it comes from. */
export default function SettingsPage(): ReactNode {
  const t = useTexts('settings')
  const [words, setWords] = useState('')
  const [last, setLast] = useState<LastEdit | null>(null)
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
  const matches = matching(words)
  return (
    <>
      <PageHeader title={t.title} hasIconsOnly actions={mayChange && <ExportFile />} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <SearchBox label={t.search} value={words} onValue={setWords} />
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
                last={last}
                onUndone={() => setLast(null)}
              />
              <PaymentSettings
                settings={data.payments}
                matches={matches}
                onEdit={(part: PaymentPart) => open({ ...others, edit: part })}
              />
              {words.trim() === '' && <AlertWays />}
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
          onEdited={setLast}
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

/** Saves the whole installation as a file that makes the same one of an empty one, and says what such a file leaves out. */
function ExportFile(): ReactNode {
  const t = useTexts('settings').exporting
  const { moreActions } = useSharedTexts()
  const guarded = useGuarded()
  const toast = useToast()
  const problemText = useProblemText()
  const exported = useMutation({
    gcTime: 0,
    mutationFn: () => guarded(exportConfiguration),
    onSuccess: ({ file }) => saveText('tollgate.yaml', file),
    onError: (error) => toast({ text: problemText(error), tone: 'bad' }),
  })
  const remarks = exported.data?.remarks ?? []
  return (
    <>
      <Menu onNear={MenuRows.load} trigger={<IconButton icon="more" label={moreActions} />}>
        <MenuRows rows={[{ icon: 'download', text: t.action, onSelect: () => exported.mutate() }]} />
      </Menu>
      <Dialog isOpen={exported.data !== undefined} size="small" title={t.done} onClose={exported.reset}>
        <div className="grid gap-3">
          <p>{t.what}</p>
          {remarks.length > 0 && (
            <>
              <p className="font-medium">{t.leftOut}</p>
              <ul lang="en" className="grid list-disc gap-1 pl-5 text-sm">
                {remarks.map((remark) => (
                  <li key={remark} className="[overflow-wrap:anywhere]">
                    {remark}
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      </Dialog>
    </>
  )
}

/** Sends a test on every way on which alerts go, and says what came of each. */
function AlertWays(): ReactNode {
  const t = useTexts('settings').alerts
  const format = useFormat()
  const mayTest = useMay('admin')
  const test = useMutation({ mutationFn: testAlerts })
  const isIdle = test.error === null && test.data === undefined
  return (
    <Section
      title={t.title}
      lead={t.lead}
      actions={
        mayTest && (
          <Button icon="bell" isBusy={test.isPending} onClick={() => test.mutate()}>
            {t.test}
          </Button>
        )
      }
    >
      {isIdle ? undefined : (
        <>
          {test.error !== null && <ErrorState error={test.error} />}
          {test.data?.length === 0 && (
            <Notice tone="warn" isLive>
              {t.nowhere}
            </Notice>
          )}
          {test.data !== undefined && test.data.length > 0 && (
            <div className="grid gap-2">
              {test.data.map(({ way, delivered, failure, took_ms: tookMs }) => (
                <Notice key={way} tone={delivered ? 'good' : 'bad'} isLive>
                  {delivered ? t.delivered(t.ways[way], format.duration(tookMs)) : t.failed(t.ways[way], failure ?? '')}
                </Notice>
              ))}
            </div>
          )}
        </>
      )}
    </Section>
  )
}
