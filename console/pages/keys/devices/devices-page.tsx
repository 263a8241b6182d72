import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { DeviceView } from '../../../../src/contract/devices.ts'
import { devicesQuery, signAllDevicesOut, signDeviceOut } from '../../../api/devices.ts'
import { instanceQuery } from '../../../api/instance.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { useChange } from '../../../forms/use-change.ts'
import { PATHS } from '../../../paths.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { hasNoRows, QueryView } from '../../../ui/query-view.tsx'
import { SkeletonLines } from '../../../ui/skeleton.tsx'
import { KeyTabs } from '../key-tabs.tsx'
import { DeviceCard } from './device-card.tsx'
import { SignInWays } from './sign-in-ways.tsx'

const EditKey = lazyPart(async () => ({ default: (await import('../edit-key.tsx')).EditKey }))

/** What is done on the page, in a dialog. */
type Step =
  | { readonly kind: 'edit'; readonly device: DeviceView }
  /** `device`: null for all. */
  | { readonly kind: 'sign_out'; readonly device: DeviceView | null }

/** The own devices: programs that were signed in by their person, who sees here what each is and spent, and ends it. */
export default function DevicesPage(): ReactNode {
  const t = useTexts('devices')
  const shared = useSharedTexts()
  const devices = useQuery(devicesQuery)
  const isOff = useQuery(instanceQuery).data?.device_sign_in === false
  const [step, setStep] = useState<Step | null>(null)
  const found = devices.data?.data ?? []
  return (
    <>
      <KeyTabs here="devices" />
      <PageHeader
        title={shared.pages.devices}
        lead={t.lead}
        actions={
          <>
            {found.length > 1 && (
              <Button icon="signOut" onClick={() => setStep({ kind: 'sign_out', device: null })}>
                {t.signOutAll}
              </Button>
            )}
            {!isOff && (
              <Link to={PATHS.device} className={buttonClass('primary')}>
                <Icon name="plus" />
                {t.enterCode}
              </Link>
            )}
          </>
        }
      />
      <QueryView
        query={devices}
        skeleton={<SkeletonLines count={9} />}
        empty={{
          is: hasNoRows,
          shown: (
            <div className="card">
              <EmptyState icon="device" title={t.empty.title}>
                {!isOff && <p>{t.empty.text}</p>}
                <div className="mt-5 text-left">
                  <SignInWays />
                </div>
              </EmptyState>
            </div>
          ),
        }}
      >
        {({ data }) => (
          <ul className="grid grid-cols-1 gap-4">
            {data.map((device) => (
              <li key={device.key.id} className="min-w-0">
                <DeviceCard
                  device={device}
                  onEdit={() => setStep({ kind: 'edit', device })}
                  onSignOut={() => setStep({ kind: 'sign_out', device })}
                />
              </li>
            ))}
            <li className="min-w-0">
              <Disclosure title={t.ways.title}>
                <SignInWays />
              </Disclosure>
            </li>
          </ul>
        )}
      </QueryView>
      {step?.kind === 'edit' && <EditKey apiKey={step.device.key} onClose={() => setStep(null)} />}
      {step?.kind === 'sign_out' && <SignOut device={step.device} count={found.length} onClose={() => setStep(null)} />}
    </>
  )
}

/** Asks before one device is signed out, or all (null). Of what went wrong a toast says it. */
function SignOut(props: { readonly device: DeviceView | null; readonly count: number; onClose(): void }): ReactNode {
  const t = useTexts('devices').confirm
  const { device, count, onClose } = props
  const words =
    device === null
      ? { title: t.allTitle(count), text: t.allText, action: t.allAction, done: t.allDone }
      : { title: t.title(device.key.name), text: t.text, action: t.action, done: t.done(device.key.name) }
  const change = useChange({
    send: () => (device === null ? signAllDevicesOut() : signDeviceOut(device.key.id)),
    done: () => words.done,
    refreshes: ['keys'],
    onSettled: onClose,
  })
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      isDangerous
      isBusy={change.isPending}
      onConfirm={() => change.mutate()}
      title={words.title}
      action={words.action}
    >
      {words.text}
    </ConfirmDialog>
  )
}
