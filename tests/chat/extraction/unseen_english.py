"""Turns that were written after the rules were done, with what a careful reader takes from them.

What the rules found in them was judged once, at the first look: `fact` and `loop` are right and
expected, `also` is right and nobody would miss it, `harmless` is clumsy or of little use. What is
found and stands in none of these is wrong. The rules are not mended against these turns: a set
that was is no measure any more. How to read them stands in `reading.py`.
"""

from typing import Final

ENGLISH: Final = """
==
U: Hey there! I'm Dominik, I moved to Ghent in spring and I still get lost every day.
A: Welcome to Ghent, Dominik! Would you like a few tips?
fact user.name = Dominik
fact user.home = Ghent

==
U: My wife Paula is a speech therapist and our twins turn four on the 12th of August.
A: How lovely!
fact user.wife.name = Paula
fact user.wife.job = speech therapist

==
U: I can't eat anything with sesame, I'm allergic to sesame and kiwi. What could I bring to a
  picnic?
A: 1. Hummus without tahini\\n2. I love potato salad\\n3. Fruit skewers
fact user.allergy.sesame = sesame
fact user.allergy.kiwi = kiwi

==
U: We've got a tortoise named Agatha and she just escaped again, lol.
A: Oh no!
fact user.pet.turtle.name = Agatha

==
U: I have a job interview at Siemens on 3 December at 9:30. Kind of nervous.
A: You'll do great. Shall we practise?
fact user.event.job interview = 3 December, 9:30

==
U: Remind me to water the orchids on Saturday. And I need to renew my driving licence before
  March.
A: Will do!
loop water the orchids
loop renew my driving licence

==
U: My brother says he lives in Perth now, but who knows with him.
A: Ha!

==
U: If I lived in Norway I'd ski every day. Sadly I live in Utrecht, flat as a pancake.
A: There's always cycling.
fact user.home = Utrecht

==
U: I used to play the cello but now I play the viola in a small orchestra.
A: A natural switch.
fact user.like.viola = viola

==
U: Translate into Spanish: I am a doctor and I live in Lima with my dog Paco.
A: Soy médico y vivo en Lima con mi perro Paco.

==
U: My name's Oluchi btw, and I'm a second-year nursing student at Leeds.
A: Nice to meet you, Oluchi!
fact user.name = Oluchi
also user.job = second-year nursing student

==
U: I love watching storms roll in over the sea. Also, my favorite season is autumn.
A: Beautiful.
harmless user.like.watching storms roll = watching storms roll
fact user.favorite.season = autumn

==
U: My order number is LX-40931 and the lamp arrived broken. My email is dana.k@postmail.org.
A: I'm sorry! I'll send a replacement tomorrow.
fact user.order number = LX-40931
harmless user.order number = LX-40931 and the lamp arrived broken
fact user.email = dana.k@postmail.org

==
U: Just got a new bike, a Cube Attain, and I already love it!! Thinking of getting a dog too.
A: Enjoy the ride!

==
U: My mom is 71 and has arthritis, my dad passed away two years ago.
A: I'm sorry for your loss.
fact user.mother.age = 71
fact user.mother.health.arthritis = arthritis

==
U: ok so i work at a bakery now. 4am shifts, kill me
A: That is early!
fact user.employer = a bakery

==
U: I'm flying to Lisbon next Tuesday, so can we plan what to pack?
A: Sure! Layers.
loop flying to Lisbon

==
U: My best friend Tariq is getting married in June. My friend Joanna is a vet in Cork.
A: Two friends with news!
fact user.friend.joanna.job = vet
also user.friend.tariq.name = Tariq
also user.friend.joanna.name = Joanna

==
U: I quit my job at the bank yesterday. No regrets.
A: Bold move!

==
U: I hate mornings and I can't stand cilantro.
A: Coffee helps with one of those.
fact user.dislike.mornings = mornings
also user.dislike.cilantro = cilantro

==
U(Priya): Guess what, I adopted a kitten called Biscuit!
A(Tom): No way! I have two dogs, so bring Biscuit over some day.
fact priya.pet.cat.name = Biscuit
fact tom.pet.dog = two dogs

==
U(Tom): My dentist appointment is on Monday at 2 pm.
A(Priya): Mine is on Thursday. My interview is on Friday!
fact tom.event.dentist appointment = 2026-11-23, 2 pm
fact priya.event.interview = 2026-11-20

==
U(Priya): I'm planning to run the Berlin half marathon next April.
A(Tom): Impressive. I'll send you my training plan tonight.
loop half marathon
loop training plan

==
U(Ser Aldric): *kneels before the throne* "My queen, I am a knight of Varn and I swear to protect
  the eastern gate."
A(Queen Isaura): *She rises slowly.* "Stand. My daughter Maelis is nine, and she has a falcon
  named Sorrow." The chancellor clears his throat. "I am from the north," he mutters, "and I hate
  this hall."
fact ser aldric.job = knight
also queen isaura.daughter.maelis.name = Maelis
loop protect the eastern gate

==
U(Ser Aldric): "Where do you come from?"
A(Queen Isaura): "I grew up in Tolmere," says Isaura. "I was born in a stable," laughs the cook.
fact queen isaura.origin = Tolmere

==
U(Jun): (OOC: sorry, my cat is called Pixel and she walked on the keyboard) *draws the lantern
  closer* I have a lantern and two coins.
A(Vesper): *Vesper grins.* I live in Hollow Street, under the bridge. I'll show you the tunnels at
  midnight.
fact vesper.home = Hollow Street
also jun.have.lantern = lantern
loop show you the tunnels

==
U(Jun): "My master said 'I own seven ships', but I don't believe him."
A(Vesper): "He lies. Captain Orlo told me, 'I live in a rented room.'" She shrugs.

==
U: *I sit down next to Mira.* My brother is missing. I need to find him before dawn.
A(Mira): "I'm afraid of the dark," Mira whispers. "My brother Tobin was a ranger too."
fact mira.fear.dark = the dark
fact mira.brother.tobin.name = Tobin
loop find him

==
U(Kell): I look at the sign: "Rooms 4 silver. I love guests!"
A(Hana): Hana waves. "I run a small inn called the Blue Heron," she says.
fact hana.employer = inn

==
A(Narrator): The bell rings. "I am the baker," says a man. "I live in Crowmarket."

==
U: Is it true that I live in a simulation? I live in Ohio, right?
A: Not as far as we know.

==
U: In my novel I'm a detective who lives in Prague. The first chapter is done.
A: Great!

==
U: I have a meeting every Monday, a headache right now, and a question about taxes.
A: Ask away.

==
U: I'm vegetarian, my husband isn't, and our son is allergic to eggs.
A: A tricky menu!
fact user.diet.vegetarian = vegetarian
fact user.son.allergy.eggs = eggs

==
U: Our daughter started school in Malmö. I speak Swedish and Persian, she only speaks Swedish.
A: Wonderful.
fact user.language.swedish = Swedish

==
U: My flight is on 28 November at 6:45 am.
A: Set two alarms!
fact user.event.flight = 28 November, 6:45 am

==
U: I love my job, I love you guys, I love it here!
A: Aw.

==
U: im 34, single, living in a van called Doris. I drive a lot.
A: Van life!
fact user.age = 34
fact user.status = single

==
U: Actually I finished the report and sent it. I promise to call grandma on Sunday.
A: Nice.
loop call grandma

==
U: Somebody named Rick called. He's a plumber and lives in Dover.
A: Did you need one?

"""
