/** How a user is named for people: by e-mail address, or by name if there is none. */
export function labelOf({ email, name }: { readonly email: string | null; readonly name: string }): string {
  return email ?? name;
}
