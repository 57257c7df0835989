/** The results of the tests, printed at the end. */
export class Figures {
  private readonly rows: [string, string][] = [];

  note(proof: string, figure: string): void {
    this.rows.push([proof, figure]);
  }

  print(title: string): void {
    const width = Math.max(...this.rows.map(([proof]) => proof.length));
    const lines = this.rows.map(([proof, figure]) => `  ${proof.padEnd(width)}  ${figure}`);
    process.stdout.write(`\n${title}\n${lines.join('\n')}\n`);
  }
}
