import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import type { GroupView } from '../../../../src/contract/groups.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { changeGroup, groupsUseQuery, type UseOfGroup } from '../../../api/group-admin.ts'
import { groupsQuery } from '../../../api/groups.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { formatMultiplier, longestPlaces } from '../../../format/money.ts'
import { useFormat } from '../../../format/use-format.ts'
import type { Column } from '../../../table/column.ts'
import { AlignedAmount } from '../../../ui/aligned-amount.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { CutName, CutText } from '../../../ui/cut-name.tsx'
import { NotRead } from '../../../ui/error-state.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { columnsOf } from '../../../table/columns-of.ts'
import { ResourcePage } from '../kit/resource-page.tsx'
import { useChange } from '../../../forms/use-change.ts'

const GroupDialogs = lazyPart(() => import('./group-dialogs.tsx'))

/** What keys belong to: who may use each group, at what multiple, and what it brought of late. */
export default function GroupsPage(): ReactNode {
  const t = useTexts('groups')
  const groups = useQuery(groupsQuery)
  const use = useQuery(groupsUseQuery)
  const items = groups.data?.data
  // Enabling is harmless, so it is not asked about.
  const enable = useChange({
    send: (group: GroupView) => changeGroup(group.id, { enabled: true }, group.version),
    done: ({ name }) => t.enabled(name),
    refreshes: ['groups', 'models', 'attention'],
  })
  return (
    <ResourcePage
      name="groups"
      icon="filter"
      texts={t}
      kind="group"
      right="catalogue"
      query={groups}
      items={items}
      nameOf={({ name }) => name}
      columns={useGroupColumns(use.data ?? null)}
      sort={{ by: 'name', order: 'asc' }}
      menu={{
        texts: t,
        // Those from the file can be duplicated, and changed there alone.
        rows: (group) => [
          group.managed ? { note: t.managed } : { icon: 'edit', text: t.edit, step: 'edit' },
          { icon: 'copy', text: t.duplicate, step: 'copy' },
          { icon: 'clock', text: t.history, link: <Link to={ADMIN_PATHS.audit} search={{ q: group.id }} /> },
          !group.managed &&
            (group.enabled
              ? { icon: 'pause', text: t.disable, step: 'disable' }
              : { icon: 'play', text: t.enable, onSelect: () => enable.mutate(group) }),
          !group.managed && { icon: 'trash', text: t.delete, step: 'delete', isDangerous: true },
        ],
      }}
      download="/api/groups"
      steps={['edit', 'copy', 'disable', 'delete']}
      dialog={(asked, onClose) =>
        items !== undefined && <GroupDialogs asked={asked} groups={items} uses={use.data ?? null} onClose={onClose} />
      }
      notes={groups.error === null && <NotRead query={use} />}
    />
  )
}

/** What is listed of each group. `uses`: by the ids of groups; null while it is not known. */
function useGroupColumns(uses: ReadonlyMap<string, UseOfGroup> | null): readonly Column<GroupView>[] {
  const t = useTexts('groups')
  const { roles } = useTexts('staff')
  const format = useFormat()
  return useMemo(() => {
    const places = longestPlaces([...(uses?.values() ?? [])].map(({ charged }) => charged))
    const known = ({ id }: GroupView, show: (use: UseOfGroup) => ReactNode): ReactNode => {
      const use = uses?.get(id)
      return use === undefined ? <span className="text-ink-3">–</span> : show(use)
    }
    return columnsOf<GroupView, keyof typeof t.columns>(t.columns, {
      name: {
        role: 'title',
        cell: (group) => (
          <span className="flex items-center gap-2 max-lg:flex-wrap">
            <CutName text={group.name} className="max-w-56" />
            {!group.enabled && <Badge tone="warn">{t.disabledBadge}</Badge>}
            {group.managed && <Badge>{t.managedBadge}</Badge>}
          </span>
        ),
      },
      multiplier: {
        align: 'end',
        width: 'w-28',
        onPhone: 'state',
        cell: ({ multiplier }) => formatMultiplier(multiplier),
      },
      open: {
        width: 'w-44 2xl:w-64',
        cell: ({ open, open_to_roles: openTo }) => (
          <CutText
            text={open ? t.openTo.all : [t.openTo.subscribers, ...openTo.map((role) => roles[role])].join(t.openTo.and)}
            className="max-w-40 2xl:max-w-60"
          />
        ),
      },
      models: {
        align: 'end',
        onPhone: 'figure',
        width: 'w-28',
        cell: ({ models, model_count: count }) => (
          <span title={models.includes('*') ? t.availableHint : `${t.availableHint}: ${format.list(models)}`}>
            {models.includes('*')
              ? t.allModels(format.number(count))
              : t.someModels(format.number(count), format.number(models.length))}
          </span>
        ),
      },
      upstreams: {
        width: 'w-44 2xl:w-72',
        cell: ({ upstreams }) =>
          upstreams === null || upstreams.length === 0 ? (
            <span className="text-ink-3">–</span>
          ) : (
            <CutText text={format.list(upstreams)} className="max-w-40 2xl:max-w-68" />
          ),
      },
      keys: {
        align: 'end',
        width: 'w-36',
        cell: (group) =>
          known(group, ({ keys, fallback_keys: fallback }) => (
            <span className="whitespace-nowrap">
              {fallback > 0 && (
                <span className="mr-1.5 text-xs text-ink-3" title={t.fallbackKeys(fallback, format.number(fallback))}>
                  {t.asFallback(format.number(fallback))}
                </span>
              )}
              {format.number(keys)}
            </span>
          )),
      },
      accounts: {
        align: 'end',
        width: 'w-28',
        cell: (group) => known(group, ({ accounts }) => format.number(accounts)),
      },
      charged: {
        align: 'end',
        onPhone: 'figure',
        width: 'w-36',
        cell: (group) =>
          known(group, ({ charged, requests }) => (
            <AlignedAmount
              shown={requests === 0 ? '–' : format.money(charged)}
              places={places}
              title={t.requests(format.number(requests))}
            />
          )),
      },
    })
  }, [roles, t, format, uses])
}
