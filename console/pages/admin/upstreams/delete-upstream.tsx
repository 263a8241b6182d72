import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { UpstreamView } from '../../../../src/contract/upstreams.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { modelsQuery } from '../../../api/models.ts'
import { deleteUpstream, upstreamsQuery } from '../../../api/upstream-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { SelectField } from '../../../forms/select-field.tsx'
import { useFormat } from '../../../format/use-format.ts'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { DeleteDialog } from '../kit/delete-dialog.tsx'

/** More names than these are counted. */
const MOST_NAMES = 8

/** Deletes an upstream; where models use it, asks first what becomes of them. All of it is one request. */
export default function DeleteUpstream(props: { readonly upstream: UpstreamView; onClose(): void }): ReactNode {
  const t = useTexts('upstreams').deleting
  const format = useFormat()
  const navigate = useNavigate()
  const { upstream } = props
  const { data: known } = useQuery(modelsQuery)
  const { data: upstreams = [] } = useQuery(upstreamsQuery)
  const [wanted, setWanted] = useState<'delete' | 'keep' | 'move'>('delete')
  const [toId, setToId] = useState('')
  const using = known?.filter(({ name }) => upstream.models.includes(name))
  const fixed = using?.filter(({ managed }) => managed) ?? []
  const alone = using?.filter(({ targets }) => targets?.every((target) => target.upstream === upstream.name)) ?? []
  const others = upstreams.filter(({ id }) => id !== upstream.id)
  const to = others.find(({ id }) => id === toId) ?? others[0]
  const isUsed = upstream.models.length > 0
  const count = alone.length
  // Models with another upstream keep that one, whatever is chosen.
  const fate = isUsed && count > 0 ? wanted : 'keep'
  return (
    <DeleteDialog
      name={upstream.name}
      texts={fate === 'delete' ? { ...t, action: t.actionWithModels(count) } : t}
      isBlocked={isUsed && (using === undefined || fixed.length > 0)}
      send={() =>
        deleteUpstream(upstream.id, {
          ...(isUsed ? { models: fate } : {}),
          ...(fate === 'move' ? { to: to?.id } : {}),
        })
      }
      onDone={() => navigate({ to: ADMIN_PATHS.upstreams })}
      refreshes={['upstreams', 'models', 'groups', 'attention']}
      onClose={props.onClose}
    >
      <p>{t.text}</p>
      {fixed.length > 0 ? (
        <p className="text-bad">{t.fixed(namesOf(fixed))}</p>
      ) : (
        using !== undefined && (
          <>
            {using.length > count && <p>{t.staying(using.length - count)}</p>}
            {count > 0 && (
              <RadioCards
                label={t.used(count)}
                name="models"
                columns={1}
                options={[
                  { value: 'delete', label: t.choices.delete, detail: t.deleted(count, namesOf(alone)) },
                  { value: 'keep', label: t.choices.keep, detail: t.kept },
                  {
                    value: 'move',
                    label: t.choices.move,
                    detail: others.length === 0 ? t.noOther : t.moved,
                    isDisabled: others.length === 0,
                  },
                ]}
                value={wanted}
                onValue={setWanted}
              />
            )}
            {fate === 'move' && to !== undefined && (
              <SelectField
                name="to"
                label={t.to}
                options={others.map(({ id, name, protocol }) => ({ value: id, label: `${name} · ${protocol}` }))}
                value={to.id}
                onValue={setToId}
              />
            )}
          </>
        )
      )}
    </DeleteDialog>
  )

  function namesOf(named: readonly { readonly name: string }[]): string {
    return format.few(
      named.map(({ name }) => name),
      MOST_NAMES,
    )
  }
}
