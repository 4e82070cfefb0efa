// Steps through a hand. The server marks every card, label and move with the step at which it appears
// (data-from) and, for cards dealt face down, with the step that turns them (data-shown); nothing here
// knows a rule of the game.
const PAUSE = 900;

class Replay {
  constructor(root) {
    this.root = root;
    this.timed = [...root.querySelectorAll("[data-from]")];
    this.boards = [...root.querySelectorAll("[data-seat]")];
    this.moves = [...root.querySelectorAll("[data-move]")];
    this.controls = root.querySelector("[data-controls]");
    this.slider = this.controls.querySelector("[data-slider]");
    this.caption = this.controls.querySelector("[data-caption]");
    this.player = this.controls.querySelector("[data-go=play]");
    this.last = Number(this.slider.max);
    this.timer = 0;
    this.listen();
    this.controls.hidden = false;
    this.show(this.stepInAddress() ?? this.last, false);
  }

  listen() {
    this.controls.addEventListener("click", (event) => {
      const button = event.target.closest("[data-go]");
      if (button) this.go(button.dataset.go);
    });
    this.slider.addEventListener("input", () => this.jump(Number(this.slider.value)));
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.show(this.stepInAddress() ?? this.step, false));
    for (const move of this.moves) {
      move.querySelector("a").addEventListener("click", (event) => {
        event.preventDefault();
        this.jump(Number(move.dataset.move));
      });
    }
  }

  stepInAddress() {
    const found = /^#step-(\d+)$/.exec(window.location.hash);
    return found ? Math.min(Number(found[1]), this.last) : null;
  }

  go(where) {
    if (where === "play") return this.timer ? this.pause() : this.play();
    const targets = { first: 0, back: this.step - 1, next: this.step + 1, last: this.last };
    return this.jump(targets[where]);
  }

  jump(step) {
    this.pause();
    this.show(step, true);
  }

  play() {
    if (this.step === this.last) this.show(0, true);
    this.timer = window.setInterval(() => {
      this.show(this.step + 1, true);
      if (this.step === this.last) this.pause();
    }, PAUSE);
    this.player.textContent = this.player.dataset.pause;
  }

  pause() {
    window.clearInterval(this.timer);
    this.timer = 0;
    this.player.textContent = this.player.dataset.play;
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const where = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" }[event.key];
    const typing = event.target.matches("input:not([type=range]), textarea, select");
    if (!where || typing) return;
    event.preventDefault();
    this.go(where);
  }

  show(wanted, remember) {
    const before = this.step;
    this.step = Math.max(0, Math.min(wanted, this.last));
    for (const element of this.timed) this.place(element, this.step === before + 1);
    const move = this.markMove();
    for (const board of this.boards) {
      board.classList.toggle("is-acting", Boolean(move) && board.dataset.seat === move.dataset.by);
      board.classList.toggle("is-foul", "foul" in board.dataset && this.step >= Number(board.dataset.foul));
    }
    this.root.classList.toggle("is-replaying", this.step < this.last);
    this.tell(move);
    if (remember) window.history.replaceState(null, "", `#step-${this.step}`);
  }

  place(element, forward) {
    const from = Number(element.dataset.from);
    const shown = Number(element.dataset.shown ?? from);
    const down = this.step >= from && this.step < shown;
    element.classList.toggle("is-future", this.step < from);
    if (!element.classList.contains("slot")) return;
    element.classList.toggle("is-down", down);
    element.classList.toggle("is-new", this.step === from && this.step < this.last);
    element.classList.toggle("is-arriving", forward && (this.step === from || this.step === shown));
    const card = element.querySelector(".card");
    card.toggleAttribute("inert", this.step < from || down);
    if (down || this.step < from) card.setAttribute("aria-hidden", "true");
    else card.removeAttribute("aria-hidden");
  }

  markMove() {
    let current = null;
    for (const move of this.moves) {
      const step = Number(move.dataset.move);
      move.toggleAttribute("aria-current", false);
      if (step !== this.step) continue;
      move.setAttribute("aria-current", "step");
      current = move;
    }
    if (current) this.scrollWithin(current);
    return current;
  }

  scrollWithin(move) {
    const list = move.closest("[data-moves]");
    const top = move.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top + move.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top - list.clientHeight / 2;
    }
  }

  tell(move) {
    this.slider.value = String(this.step);
    const place = this.caption.dataset.place.replace("{step}", this.step).replace("{last}", this.last);
    const text = move ? move.dataset.text : this.caption.dataset.start;
    this.caption.textContent = `${place} ${text}`;
    this.slider.setAttribute("aria-valuetext", this.caption.textContent);
    for (const button of this.controls.querySelectorAll("[data-go=first], [data-go=back]")) {
      button.disabled = this.step === 0;
    }
    for (const button of this.controls.querySelectorAll("[data-go=next], [data-go=last]")) {
      button.disabled = this.step === this.last;
    }
  }
}

for (const root of document.querySelectorAll("[data-replay]")) new Replay(root);
