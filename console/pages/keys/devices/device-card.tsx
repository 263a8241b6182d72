import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { DeviceView } from '../../../../src/contract/devices.ts'
import { deleteDeviceSecret } from '../../../api/devices.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { PATHS } from '../../../paths.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { DetailList } from '../../../ui/detail-list.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { useToast } from '../../../ui/toasts.tsx'
import { CredentialList } from '../../account/credential-list.tsx'
import { GroupCell, QuotaCell, StatusCell } from '../key-cells.tsx'

/** One signed-in device: who it is, what it may and did spend, and the secrets that clients keep of it. */
export function DeviceCard(props: { readonly device: DeviceView; onEdit(): void; onSignOut(): void }): ReactNode {
  const t = useTexts('devices')
  const { device } = props
  const { key } = device
  return (
    <Section
      title={key.name}
      lead={<Program device={device} />}
      actions={
        <>
          <Link to={PATHS.usage} search={{ key: key.id }} className={buttonClass('secondary')}>
            {t.requests}
          </Link>
          <Button icon="edit" aria-label={t.editOf(key.name)} onClick={props.onEdit}>
            {t.edit}
          </Button>
          <Button icon="signOut" aria-label={t.signOutOf(key.name)} onClick={props.onSignOut}>
            {t.signOut}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-4">
        <Facts device={device} />
        {device.secrets.length > 0 && <Secrets device={device} />}
      </div>
    </Section>
  )
}

function Program({ device }: { readonly device: DeviceView }): ReactNode {
  const t = useTexts('devices')
  const client = device.client === '' ? t.request.someProgram : device.client
  return (
    <span className="[overflow-wrap:anywhere]">{device.machine === '' ? client : t.on(client, device.machine)}</span>
  )
}

function Facts({ device }: { readonly device: DeviceView }): ReactNode {
  const t = useTexts('devices')
  const keyTexts = useTexts('keys')
  const format = useFormat()
  const { key } = device
  const address = (text: string) => <span className="font-mono break-all">{text}</span>
  return (
    <DetailList
      rows={[
        { label: keyTexts.columns.status, value: <StatusCell apiKey={key} /> },
        { label: keyTexts.columns.group, value: <GroupCell apiKey={key} /> },
        {
          label: keyTexts.columns.spent,
          value: (
            <span className="flex flex-wrap items-start gap-x-2">
              <span title={format.exactMoney(key.spent)}>{format.money(key.spent)}</span>
              {key.quota_limit === null ? <span className="text-ink-3">{t.noLimit}</span> : <QuotaCell apiKey={key} />}
            </span>
          ),
        },
        {
          label: keyTexts.columns.lastUsed,
          value: <RelativeTime time={key.last_used_at} never={keyTexts.neverUsed} />,
        },
        {
          label: t.approved,
          value: (
            <>
              <RelativeTime time={device.approved_at} /> · {address(device.approved_from)}
              {device.asked_from !== device.approved_from && (
                <>
                  {' '}
                  · {t.askedFrom} {address(device.asked_from)}
                </>
              )}
            </>
          ),
        },
        ...(device.refreshed_at === null
          ? []
          : [
              {
                label: t.renewed,
                value: (
                  <>
                    <RelativeTime time={device.refreshed_at} />
                    {device.refreshed_from !== null && <> · {address(device.refreshed_from)}</>}
                  </>
                ),
              },
            ]),
        { label: t.ends, value: <EndOf device={device} /> },
      ]}
    />
  )
}

/** The earlier of the two: the sign-in’s own end, and that of its key. */
function EndOf({ device }: { readonly device: DeviceView }): ReactNode {
  const format = useFormat()
  const ends = [device.ends_at, device.key.expires_at].filter((time) => time !== null).toSorted()
  const [first = device.ends_at] = ends
  return <span title={format.second(first)}>{format.date(first)}</span>
}

/** The secrets that the command line stored for clients which cannot renew a sign-in. */
function Secrets({ device }: { readonly device: DeviceView }): ReactNode {
  const t = useTexts('devices').secrets
  const queries = useQueryClient()
  const toast = useToast()
  const items = device.secrets.map((secret) => ({ ...secret, name: secret.client }))
  return (
    <div>
      <h3 className="text-sm text-ink-3">{t.title}</h3>
      <CredentialList
        items={items}
        texts={t}
        remove={(id) => deleteDeviceSecret(device.key.id, id)}
        onRemoved={() => {
          toast({ text: t.removed })
          void queries.invalidateQueries({ queryKey: ['keys'] })
        }}
      >
        {(secret) => (
          <>
            <div className="font-medium">{secret.name}</div>
            <div className="text-sm text-ink-3">
              <code className="font-mono">
                {secret.secret_start}…{secret.secret_end}
              </code>{' '}
              · <RelativeTime time={secret.created_at} text={t.since} />
            </div>
          </>
        )}
      </CredentialList>
    </div>
  )
}
