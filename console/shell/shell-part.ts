/** What opens in front of any page. */
export type ShellPart = 'palette' | 'shortcuts' | 'notices'
