import { ADMIN_GROUPS, type AdminPageName, ADMIN_PATHS } from '../../admin-pages.ts'
import { LANGUAGES, LANGUAGE_NAMES, type Language } from '../../language.ts'
import type { SharedTexts } from '../../dictionaries/shared-en.ts'
import type { ShellTexts } from '../../dictionaries/shell-en.ts'
import { PATHS } from '../../paths.ts'
import type { Theme } from '../../preferences.ts'
import type { FlatSearch } from '../../table/table-search.ts'
import { INSIDE_PAGES } from '../navigation.tsx'
import type { ShellPart } from '../shell-part.ts'
import type { Command } from './command.ts'

type InsidePath = (typeof PATHS)[(typeof INSIDE_PAGES)[number]['name']] | (typeof ADMIN_PATHS)[AdminPageName]

/** What commands do it with. */
export interface CommandTools {
  go(path: InsidePath, search?: FlatSearch): void
  /** Opens a page of the gateway in another tab. */
  openTab(path: `/${string}`): void
  copyCall(): void
  open(part: ShellPart): void
  keep(change: { readonly theme: Theme } | { readonly language: Language }): void
  signOut(): void
}

/** A command that is always there, before it has words. */
export interface FixedCommand extends Pick<Command, 'id' | 'part' | 'icon' | 'focus'> {
  nameIn(texts: { readonly shell: ShellTexts; readonly shared: SharedTexts }): string
  /** Where its other words are. */
  readonly words: keyof ShellTexts['words']
  run(tools: CommandTools): void
}

const pages = INSIDE_PAGES.map(({ name, icon }): FixedCommand => ({
  id: name,
  part: 'pages',
  icon,
  focus: 'page',
  nameIn: ({ shared }) => shared.pages[name],
  words: name,
  run: (tools) => tools.go(PATHS[name]),
}))

const adminPages = ADMIN_GROUPS.flatMap((group) => group.pages).map(({ name, icon }): FixedCommand => ({
  id: `admin-${name}`,
  part: 'admin',
  icon,
  focus: 'page',
  nameIn: ({ shell }) => shell.admin.pages[name],
  words: name,
  run: (tools) => tools.go(ADMIN_PATHS[name]),
}))

function action(
  id: keyof ShellTexts['actions'],
  run: FixedCommand['run'],
  { icon, focus = 'page' }: Pick<Command, 'icon'> & Partial<Pick<Command, 'focus'>>,
): FixedCommand {
  return { id, part: 'actions', icon, focus, nameIn: ({ shell }) => shell.actions[id], words: id, run }
}

const themes = (['system', 'light', 'dark'] as const).map((theme): FixedCommand => ({
  id: `theme-${theme}`,
  part: 'actions',
  icon: theme === 'dark' ? 'moon' : 'sun',
  focus: 'opener',
  nameIn: ({ shared }) => shared.labelled(shared.theme, shared.themes[theme]),
  words: 'theme',
  run: (tools) => tools.keep({ theme }),
}))

const languages = LANGUAGES.map((language): FixedCommand => ({
  id: `language-${language}`,
  part: 'actions',
  icon: 'globe',
  focus: 'opener',
  nameIn: ({ shared }) => shared.labelled(shared.language, LANGUAGE_NAMES[language]),
  words: 'language',
  run: (tools) => tools.keep({ language }),
}))

const COMMANDS: readonly FixedCommand[] = [
  ...pages,
  ...adminPages,
  action('createKey', (tools) => tools.go(PATHS.keys, { new: 'key' }), { icon: 'plus', focus: 'own' }),
  action('setUp', (tools) => tools.go(PATHS.start, { another: '1' }), { icon: 'terminal' }),
  action('redeem', (tools) => tools.go(PATHS.billing, { redeem: 'code' }), { icon: 'billing', focus: 'own' }),
  action('security', (tools) => tools.go(PATHS.account, { section: 'security' }), { icon: 'shield' }),
  action('tokens', (tools) => tools.go(PATHS.account, { section: 'tokens' }), { icon: 'terminal' }),
  action('notices', (tools) => tools.open('notices'), { icon: 'bell', focus: 'own' }),
  action('shortcuts', (tools) => tools.open('shortcuts'), { icon: 'info', focus: 'own' }),
  ...themes,
  ...languages,
  action('copyCall', (tools) => tools.copyCall(), { icon: 'terminal', focus: 'opener' }),
  action('docs', (tools) => tools.openTab('/docs'), { icon: 'external', focus: 'opener' }),
  action('apiDocs', (tools) => tools.openTab('/api/docs'), { icon: 'external', focus: 'opener' }),
  action('errorDocs', (tools) => tools.openTab('/docs/errors'), { icon: 'external', focus: 'opener' }),
  action('changes', (tools) => tools.openTab('/docs/changes'), { icon: 'external', focus: 'opener' }),
  action('signOut', (tools) => tools.signOut(), { icon: 'signOut', focus: 'opener' }),
]

/** Every page of the reader's, and what can be done from anywhere, as it is listed before anything is typed. `hasCall`: the page asks the API for something that can be copied. */
export function fixedCommands(of: { readonly isStaff: boolean; readonly hasCall: boolean }): readonly FixedCommand[] {
  return COMMANDS.filter(({ part, id }) => (of.isStaff || part !== 'admin') && (of.hasCall || id !== 'copyCall'))
}
