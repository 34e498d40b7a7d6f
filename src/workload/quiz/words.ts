/** What the texts of the quiz are made of: words and names of people. Letters only, so nothing needs an escape. */

/** A username is two of them and a number, in VARCHAR(32): none is longer than 10 letters. */
export const WORDS: readonly string[] = `
about above across act actor add adult affect afternoon again age agree air all almost alone along already also always
animal answer any appear apple area argue arm around arrive art ask attention autumn away baby back bag ball bank base
basket bath beach bear beautiful bed before begin behind believe bell below best better between beyond bicycle big bird
black blood blue board boat body book both bottle bottom box boy branch bread break bridge bright bring brother brown
build building burn bus busy butter buy cake call camera camp can candle capital car card care carry castle cat cause
center century certain chair chance change charge cheap check cheese child choice choose church circle city class clean
clear climb clock close cloud coast coat coffee cold collect college color come common company compare complete contain
continue control cook cool copper corner correct cost cotton count country course cover cow create cross crowd culture
cup current cut dance dark date daughter day decide deep degree describe desert design desk detail develop dinner
direct discover discuss dish distance doctor dog door down draw dream dress drink drive dry during each early earth
east easy eat edge egg eight either else empty end energy engine enjoy enough enter equal even evening event ever every
example except expect explain eye face fact fall family famous far farm fast father feather feel few field fight fill
film final find finger finish fire first fish five flag flat floor flower fly follow food foot forest forget form four
free fresh friend front fruit full future game garden gate general gentle gift girl give glass go gold good grain grass
great green ground group grow guess guitar hair half hall hand happen happy hard harvest hat have head hear heart heavy
height help here high hill history hold holiday home honey hope horse hospital hot hour house how human hundred hungry
ice idea if important inch include increase inside interest iron island item join journey judge jump just keep key kind
king kitchen knee know lady lake lamp land language large last late laugh law lead leaf learn least leave left leg
lemon lesson letter level library life lift light like line lion list listen little live long look lose loud love low
lucky machine main make many map march mark market matter may meal mean measure meat meet member metal middle might
mile milk million mind minute mirror miss model modern moment money month moon more morning most mother mountain mouth
move much music must name narrow nation nature near neck need never new news next nice night nine noise none north nose
note nothing notice novel number ocean offer office often oil old once one only open opinion orange order other our out
outside over own page paint pair paper parent park part party pass past path pattern pay peace pen people perhaps
period person phone photo picture piece pilot place plain plan plant plate play please plenty pocket poem point police
poor popular position possible post potato power present press pretty price prince print probably problem produce
program promise proof proud provide public pull push put quality queen question quick quiet quite rabbit race radio
rain raise reach read ready real reason receive record red region remain remember repeat reply report rest result
return rice rich ride right ring rise river road rock roof room root rope rose round row rule run safe sail salt same
sand save say school science sea search season seat second see seed seem sell send sense sentence serious serve set
seven several shadow shall shape share sharp sheep ship shirt shoe shop short should shoulder show side sign silver
similar simple since sing sister sit six size skill skin sky sleep slow small smell smile smooth snow social soft soil
some son song soon sound soup south space speak special speed spend spoon spring square stage stand star start state
station stay step still stone stop store storm story straight strange street strong student study subject such sudden
sugar summer sun supper support sure surface surprise swim table take talk tall taste tea teach team tell ten test than
thank theater then there thick thin thing think third this though thousand three through throw ticket time tired today
together tomorrow tonight tool top total touch toward town trade train travel tree triangle trip trouble true trust try
turn twelve two type umbrella uncle under until up use usual valley value very view village visit voice wait walk wall
want warm wash watch water wave way wear weather week weight welcome well west wet what wheel when where while white
whole why wide wild will wind window wine winter wish with without woman wonder wood wool word work world worry write
wrong yard year yellow yes yesterday yet young zero`
  .trim()
  .split(/\s+/);

export const FIRST_NAMES: readonly string[] = `
Aaron Abigail Adam Adrian Alan Alba Alice Alma Amelia Amir Amy Andrea Andrew Angela Anita Anna Anthony Antonio Arthur
Astrid Barbara Beatrice Benjamin Bernard Bianca Bruno Camila Carla Carlos Caroline Catherine Cecilia Charles Chloe
Christina Clara Colin Connie Cyrus Dana Daniel David Deborah Denis Diana Dmitri Dorothy Edith Edward Elena Elias
Elizabeth Ellen Emil Emily Emma Eric Esther Ethan Eva Felix Fiona Florence Frances Frank Gabriel George Gloria Grace
Gregory Hana Hannah Harold Heather Helen Henry Hugo Ibrahim Ines Irene Isaac Isabel Ivan Jack Jacob James Jane Jasmine
Jason Jean Jennifer Jerome Joan Joel John Jonas Joseph Joyce Judith Julia Julian Karen Karim Karl Kate Keiko Kevin Laura
Lauren Leila Leo Leonard Lewis Liam Lily Linda Lisa Louis Lucas Lucy Lydia Magnus Malik Marco Margaret Maria Marie
Marion Mark Martha Martin Mary Matthew Maya Megan Michael Miguel Mira Monica Nadia Naomi Natalie Nathan Nicholas Nina
Noah Nora Oliver Olga Omar Oscar Patricia Patrick Paul Paula Peter Philip Priya Rachel Ralph Raymond Rebecca Renata
Richard Robert Rosa Rose Ruth Samuel Sandra Sara Sebastian Silvia Simon Sofia Stella Stephen Susan Tamara Teresa Theo
Thomas Timothy Tina Tobias Valerie Vera Victor Victoria Vincent Violet Walter Wendy William Yasmin Yuki Yusuf Zoe`
  .trim()
  .split(/\s+/);

export const LAST_NAMES: readonly string[] = `
Abbott Adams Ahmed Allen Alvarez Andersen Andrews Archer Armstrong Arnold Atkins Bailey Baker Barker Barnes Barrett
Becker Bell Bennett Berger Bishop Blake Bond Bowen Bradley Brennan Brooks Brown Bryant Burke Burns Butler Campbell
Carlson Carpenter Carroll Carter Castillo Chang Chapman Chen Clark Cole Coleman Collins Cook Cooper Costa Cox Crawford
Cruz Cunningham Curtis Dalton Daniels Davidson Davies Dawson Delgado Diaz Dixon Douglas Duncan Dunn Edwards Elliott
Ellis Evans Farrell Ferguson Fernandez Fischer Fisher Fleming Fletcher Flores Ford Foster Fox Franklin Fraser Freeman
Fuller Garcia Gardner Gibson Gilbert Gomez Gonzalez Goodman Gordon Graham Grant Gray Greene Griffin Gupta Hall Hamilton
Hansen Harper Harris Harrison Hart Harvey Hayes Henderson Hernandez Hicks Hoffman Holland Holmes Hopkins Howard
Hudson Hughes Hunt Hunter Ibarra Ito Jackson Jacobs Jensen Jimenez Johnson Jones Jordan Kaplan Keller Kelly Kennedy Khan
Kim Klein Knight Kovacs Kumar Lambert Lane Larsen Lawrence Lee Lindberg Little Lopez Lowe Lynch Marsh Marshall Martin
Martinez Mason Matthews Mendez Meyer Miller Mills Mitchell Moore Morales Moreno Morgan Morris Murphy Murray Navarro
Nelson Newman Nguyen Nichols Nielsen Norris Novak Oliveira Olsen Ortega Ortiz Owens Palmer Park Parker Patel
Patterson Perez Perkins Perry Peters Peterson Phillips Pierce Porter Powell Price Quinn Ramirez Ramos Reed Reid
Reyes Reynolds Rice Richards Rivera Roberts Robinson Rodriguez Rogers Romero Rossi Russell Ryan Sanchez Sanders Santos
Schmidt Schneider Scott Shaw Silva Simpson Singh Smith Snyder Spencer Stanley Stevens Stewart Stone Suzuki Tanaka Taylor
Thompson Torres Tucker Turner Vargas Vasquez Wagner Walker Wallace Walsh Ward Warren Watson Weaver Webb Weber Wells West
Wheeler White Williams Wilson Wolf Wood Wright Yamada Young Zhang Zimmerman`
  .trim()
  .split(/\s+/);
